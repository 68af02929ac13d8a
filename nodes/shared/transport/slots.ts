/** Lets only so many tasks run at once; the others wait in line. */
export class Slots {
	private taken = 0;

	private readonly waiting: Array<{ max: number; start: () => void }> = [];

	/** Does the work as soon as fewer than `max` others are at work. Throws what it throws. */
	async run<Result>(max: number, work: () => Promise<Result>): Promise<Result> {
		if (this.waiting.length > 0 || this.taken >= max) {
			await new Promise<void>((start) => this.waiting.push({ max, start }));
		} else this.taken++;
		try {
			return await work();
		} finally {
			this.taken--;
			while (this.waiting.length > 0 && this.taken < this.waiting[0].max) {
				this.taken++;
				this.waiting.shift()!.start();
			}
		}
	}
}
