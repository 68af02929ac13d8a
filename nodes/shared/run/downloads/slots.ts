/** Bounds how many tasks run at the same time; the others queue up. */
export class Slots {
	private readonly waiting: Array<() => void> = [];

	constructor(private free: number) {}

	/** Runs the work as soon as a slot is free. Throws whatever `work` throws. */
	async run<Result>(work: () => Promise<Result>): Promise<Result> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((start) => this.waiting.push(start));
		try {
			return await work();
		} finally {
			const next = this.waiting.shift();
			if (next) next();
			else this.free++;
		}
	}
}
