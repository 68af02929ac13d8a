import type { INodeProperties } from 'n8n-workflow';

import { allNodes } from '../../../scripts/lib/nodes';

/** Returns all properties of a form, including those in collections. */
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

const textOf = (node: string, name: string) => {
	const { description } = allNodes().find((one) => one.description.name === node)!;
	const found = within(description.properties).filter((property) => property.name === name);
	return JSON.stringify(found.map((property) => [property.description, property.options]));
};

it.each([
	['webDataAgent', 'model', /service default is spark-1-mini; newer services use spark-1-pro/],
	['webDataAgent', 'model', /"spark-2","description":"Cheaper and faster/],
	['webDataAgent', 'maxCredits', /The service default is 2500/],
	['webDataCrawl', 'apiVersion', /V1 \(Older\)/],
	['webDataExtract', 'tag', /without one/],
])('%s: %s tells what is published: %s', (node, name, text) => {
	expect(textOf(node, name)).toMatch(text);
});

it('the category Research does not promise papers', () => {
	expect(textOf('webDataSearch', 'categories')).not.toMatch(/papers|no URL/);
});
