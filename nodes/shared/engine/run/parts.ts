/** What has parts: objects that are there once for each, such as what all downloads of a node run share. */
export class Parts {
	private readonly parts = new Map<object, unknown>();

	/** Returns the one instance of a class, made when it is first asked for. */
	part<Part>(Kind: new () => Part): Part {
		const part = (this.parts.get(Kind) as Part | undefined) ?? new Kind();
		this.parts.set(Kind, part);
		return part;
	}
}
