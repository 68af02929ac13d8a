import type { INodeProperties } from 'n8n-workflow';

import { allNodes } from '../../../scripts/lib/nodes';

/** All properties of a form, also those in collections. */
function within(properties: unknown[]): INodeProperties[] {
	return (properties as INodeProperties[]).flatMap((property) => [
		property,
		...within(property.options ?? []),
		...within((property as { values?: unknown[] }).values ?? []),
	]);
}

const limited = allNodes()
	.flatMap(({ description }) => within(description.properties))
	.filter(({ type, typeOptions }) => type === 'number' && typeOptions?.maxValue !== undefined);

it('every number that n8n cuts to a limit as it is typed says the limit under it', () => {
	expect(limited.length).toBeGreaterThan(20);
	const without = limited.filter(
		({ hint, typeOptions }) =>
			!(hint ?? '').match(new RegExp(`(^Up| )to ${typeOptions?.maxValue}\\b`)),
	);
	expect(without.map(({ displayName, hint }) => [displayName, hint])).toEqual([]);
});
