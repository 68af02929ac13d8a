/** A container of parts, such as a node run: at most one instance of each class, created on first use. */
export class Parts {
	private readonly parts = new Map<unknown, unknown>();

	/** Returns the instance of a class. */
	part<Part>(kind: new () => Part): Part;
	part<Part>(kind: new (...args: never[]) => Part, create: () => Part): Part;
	part<Part>(kind: new () => Part, create = () => new kind()): Part {
		const part = this.parts.has(kind) ? (this.parts.get(kind) as Part) : create();
		this.parts.set(kind, part);
		return part;
	}
}
