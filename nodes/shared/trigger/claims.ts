/**
 * What polls of this process are working on right now, so that one that overlaps another leaves it alone. By name, with
 * the poll it belongs to: a poll that was given up can't give back what a later one has claimed.
 */
export class Claims {
	private readonly holders = new Map<string, object>();

	/** Whether the name was free, and is the holder's from now on. */
	take(name: string, holder: object): boolean {
		if (this.holders.has(name)) return false;
		this.holders.set(name, holder);
		return true;
	}

	/** Gives back one name, or all, of the holder. */
	release(holder: object, name?: string): void {
		for (const [held, by] of this.holders) {
			if (by === holder && (name === undefined || name === held)) this.holders.delete(held);
		}
	}
}
