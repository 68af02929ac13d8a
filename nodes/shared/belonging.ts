/**
 * What goes with an object of n8n's, made when it is first asked for. Other than a WeakMap, which each copy of this module
 * has its own of, it is there for another version of this package, too: n8n loads that one the moment the package is
 * upgraded, and then goes on with the executions that run. So it has to be plain data, and to get another `name` with
 * another shape.
 */
export function belongingTo<Value extends object>(
	owner: object,
	name: string,
	make: () => Value,
): Value {
	const key = Symbol.for(`n8n-nodes-web-data-service: ${name}`);
	const owned = owner as { [key: symbol]: Value | undefined };
	const known = owned[key];
	if (known !== undefined) return known;
	const value = make();
	// Not enumerable, so that a copy of the owner doesn't share it.
	Object.defineProperty(owner, key, { value });
	return value;
}
