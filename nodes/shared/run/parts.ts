/** What belongs to one thing, such as a node run: at most one instance of each kind, created when it is first needed. */
export class Parts {
	private readonly parts = new Map<unknown, unknown>();

	/** Returns the one instance of a kind. */
	part<Part>(kind: new () => Part): Part;
	part<Part>(kind: new (...args: never[]) => Part, create: () => Part): Part;
	part<Part>(kind: new () => Part, create = () => new kind()): Part {
		const part = this.parts.has(kind) ? (this.parts.get(kind) as Part) : create();
		this.parts.set(kind, part);
		return part;
	}
}
