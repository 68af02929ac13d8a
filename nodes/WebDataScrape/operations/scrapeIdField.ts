import { textField } from '../../shared/form/controls';
import type { Field } from '../../shared/form/field';
import { checkedId } from '../../shared/form/ids';

export const scrapeIdField: Field<string> = textField('scrapeId', 'Scrape ID', {
	required: true,
	placeholder: 'e.g. 5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c',
	description: 'The scrape whose page to use',
	hint: 'run.scrapeId of Scrape Page with Include Run Details, or an ID of List Recent Activity',
	wire: { in: 'path', value: checkedId },
});
