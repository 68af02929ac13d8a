/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { Slots } from '../../../../nodes/shared/run/downloads/slots';

it('lets as many tasks run at once as there are slots, the others in their order, whatever happens', async () => {
	const running = new Map<string, (fails: boolean) => void>();
	const slots = new Slots(2);
	const all = [...'abcde'].map(async (name) => {
		await slots.run(async () => {
			await new Promise<void>((resolve, reject) => {
				running.set(name, (fails) => (fails ? reject(new Error(name)) : resolve()));
			});
		});
	});
	const names = () => [...running.keys()].join('');
	const end = async (name: string, fails = false) => {
		running.get(name)!(fails);
		running.delete(name);
		await new Promise((done) => setImmediate(done));
	};
	await new Promise((done) => setImmediate(done));
	expect(names()).toBe('ab');
	await end('b');
	expect(names()).toBe('ac');
	const failed = expect(all[0]).rejects.toThrow('a');
	await end('a', true);
	await failed;
	expect(names()).toBe('cd');
	await end('c');
	await end('d');
	await end('e');
	await Promise.all(all.slice(1));
});
