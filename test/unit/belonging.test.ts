import { belongingTo } from '../../nodes/shared/belonging';

const listOf = (owner: object, name = 'list') => belongingTo<string[]>(owner, name, () => []);

it('is made once for an object and a name', () => {
	const owner = {};
	listOf(owner).push('a');
	expect(listOf(owner)).toEqual(['a']);
	expect(listOf(owner, 'other')).toEqual([]);
	expect(listOf({})).toEqual([]);
});

it('is found by another copy of the package', async () => {
	const owner = {};
	listOf(owner).push('a');
	jest.resetModules();
	const anew = await import('../../nodes/shared/belonging');
	expect(anew.belongingTo).not.toBe(belongingTo);
	expect(anew.belongingTo(owner, 'list', () => [])).toEqual(['a']);
});

it('is not seen in what n8n saves, nor shared with a copy', () => {
	const owner = { a: 1 };
	listOf(owner).push('a');
	expect(JSON.stringify(owner)).toBe('{"a":1}');
	expect(Reflect.ownKeys({ ...owner })).toEqual(['a']);
	expect(listOf({ ...owner })).toEqual([]);
});
