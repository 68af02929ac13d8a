import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { operations } from '../../api/contract';
import { requestProperties } from '../../api/properties';
import {
	type Coverage,
	WITHOUT_CONTROL,
	coverageOf,
	fieldsPage,
	reachedIn,
} from '../../scripts/lib/coverage';
import { operationOf } from '../../scripts/lib/nodes';
import { fieldsOf } from './controls';
import { cases } from './nodes';

/** Operations that send a POST and cost nothing all the same, e.g. `Web Data Scrape: check`. */
const FREE: string[] = [];

/** Whether a field of a request has no control for one of these reasons, as has all that is in it. */
function isLeftOut(operationId: string, property: string): boolean {
	return Object.keys(WITHOUT_CONTROL).some(
		(key) => key === property || `${operationId} ${property}`.startsWith(key),
	);
}

/** Of each case, found out once: a test that timed out leaves the next ones nothing half done. */
const found = new Map<object, Promise<Coverage>>();
const coverage = async (one: (typeof cases)[number]) => {
	const known = found.get(one) ?? coverageOf(one.node, one.operation);
	found.set(one, known);
	return await known;
};

describe.each(cases)('$name: $operation', (one) => {
	const { node, operation, name } = one;

	it('has a Credit Budget, which comes with its `price`, if its POST costs something', () => {
		const title = `${name}: ${operation}`;
		const isPaid = operationOf(node, operation).method === 'POST' && !FREE.includes(title);
		const options = fieldsOf(node, operation).find((field) => field.name === 'options')!.options!;
		const hasBudget = options.some((option) => option.name === 'creditBudget');
		expect(
			hasBudget !== isPaid &&
				(isPaid
					? `${title} sends a POST: give it a \`price\` or, if it is free, put it into FREE above`
					: `${title} costs nothing: take away its \`price\``),
		).toBe(false);
	});

	it('sends nothing but what is required when only that is filled in', async () => {
		const { bare } = await coverage(one);
		const contract = requestProperties(bare.operationId);
		expect(bare.properties.filter((property) => !contract.includes(property))).toEqual([]);
		expect(bare.violations).toEqual([]);
	});

	it('puts every control into the request, and nothing that the contract does not have', async () => {
		const { dead, violations } = await coverage(one);
		expect(violations).toEqual([]);
		expect(dead.map((control) => `${control} changes nothing in the request`)).toEqual([]);
	});
});

describe('the contract', () => {
	it.each(operations)(
		'$operationId: every request property is reached by a control',
		async ({ operationId }) => {
			// The tests above say why where one could not be found out.
			const coverages = (await Promise.allSettled(cases.map(coverage))).flatMap((one) =>
				one.status === 'fulfilled' ? [one.value] : [],
			);
			const sent = reachedIn(coverages, operationId);
			const missing = requestProperties(operationId).filter(
				(property) => !sent.has(property) && !isLeftOut(operationId, property),
			);
			expect(missing).toEqual([]);
		},
	);

	it('docs/maintainers/fields.md says what was found here', async () => {
		const page = readFileSync(join(__dirname, '../../docs/maintainers/fields.md'), 'utf8');
		const isStale = page !== fieldsPage(await Promise.all(cases.map(coverage)));
		expect(isStale && 'docs/maintainers/fields.md is stale: run npm run docs').toBe(false);
	});
});
