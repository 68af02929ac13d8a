/** What stays in a form when the operation or what is watched changes: all fields that both forms have. */
import {
	type IDataObject,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeTypeDescription,
	NodeHelpers,
} from 'n8n-workflow';

interface Change {
	from: INodePropertyOptions;
	/** The choice whose form shares most fields with the one of `from`. */
	to: INodePropertyOptions;
	/** Names of the fields with something entered that both forms have. */
	shared: string[];
}

/** The fields whose choices show and hide others. */
export const CHANGING = ['operation', 'watch', 'triggerOn'];

/** Returns the field that changes, something entered in lists and collections, and a change of each choice. */
export function changesOf(description: INodeTypeDescription): {
	field: INodeProperties;
	entered: IDataObject;
	changes: Change[];
} {
	const { properties } = description;
	const field = properties.find(({ name }) => CHANGING.includes(name))!;
	const entered = Object.fromEntries(properties.flatMap(enteredIn));
	const choices = field.options as INodePropertyOptions[];
	const shownFor = ({ value }: INodePropertyOptions) => {
		const values = { ...entered, [field.name]: value } as never;
		return properties
			.filter(({ name }) => name in entered)
			.filter((one) => NodeHelpers.displayParameter(values, one, { typeVersion: 1 }, description))
			.map(({ name }) => name);
	};
	const sharedBy = (one: INodePropertyOptions, other: INodePropertyOptions) =>
		shownFor(one).filter((name) => shownFor(other).includes(name));
	const changes = choices.map((from) => {
		const [to] = choices
			.filter((one) => one !== from)
			.sort((a, b) => sharedBy(from, b).length - sharedBy(from, a).length);
		return { from, to, shared: sharedBy(from, to) };
	});
	return { field, entered, changes };
}

/** Returns something entered in a list or a collection of a form, unlike its default. */
function enteredIn({
	name,
	type,
	default: standard,
	options = [],
	displayOptions,
}: INodeProperties): Array<[string, IDataObject | string[]]> {
	const { show = {} } = displayOptions ?? {};
	if (show['@tool']?.includes(true)) return [];
	const [first] = options;
	const shown = options.filter((one) => !('displayOptions' in one));
	if (type === 'collection') {
		const child = shown.find((one) => 'type' in one && one.type === 'number');
		return child ? [[name, { [child.name]: 7 }]] : [];
	}
	if (type === 'fixedCollection' && 'values' in first)
		return [[name, { [first.name]: [{ [first.values[0].name]: 'x' }] }]];
	if (type !== 'multiOptions') return [];
	const all = shown.map((one) => String((one as INodePropertyOptions).value));
	// n8n doesn't save a default.
	return [[name, String(all) === String(standard) ? all.slice(-1) : all]];
}
