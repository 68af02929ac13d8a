import { Slots } from '../../../nodes/shared/transport/slots';

/** Work that goes on until it is told to end. */
class Work {
	readonly running = new Map<string, (fails?: boolean) => void>();

	private readonly slots = new Slots();

	async begin(name: string, max: number): Promise<void> {
		await this.slots.run(max, async () => {
			await new Promise<void>((resolve, reject) => {
				this.running.set(name, (fails) => (fails ? reject(new Error(name)) : resolve()));
			});
		});
	}

	async end(name: string, fails = false): Promise<void> {
		this.running.get(name)!(fails);
		this.running.delete(name);
		await new Promise((done) => setImmediate(done));
	}

	get names(): string {
		return [...this.running.keys()].join('');
	}
}

describe('slots', () => {
	it('let as many work at once as they may, and the others in their order, whatever happens', async () => {
		const work = new Work();
		const all = [...'abcde'].map(async (name) => await work.begin(name, 2));
		expect(work.names).toBe('ab');
		await work.end('b');
		expect(work.names).toBe('ac');
		const failed = expect(all[0]).rejects.toThrow('a');
		await work.end('a', true);
		await failed;
		expect(work.names).toBe('cd');
		await work.end('c');
		await work.end('d');
		await work.end('e');
		await Promise.all(all.slice(1));
		expect(work.names).toBe('');
	});

	it('let those in that may be more at once, but none before its turn', async () => {
		const work = new Work();
		void work.begin('a', 3);
		void work.begin('b', 1);
		void work.begin('c', 3);
		void work.begin('d', 3);
		expect(work.names).toBe('a');
		await work.end('a');
		expect(work.names).toBe('bcd');
	});
});
