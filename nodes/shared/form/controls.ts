import type { Field } from './field';
import { headerName, lines, pairs } from './values';

export function headersField(field: Parameters<typeof pairsField>[0]): Field {
	return {
		...pairsField(field),
		wire: { value: (entered, place) => pairs(entered, place, headerName) },
	};
}

export function pairsField(field: {
	displayName: string;
	name: string;
	description: string;
	example: [name: string, value: string];
	addText: string;
}): Field {
	return {
		displayName: field.displayName,
		name: field.name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: field.addText },
		default: {},
		placeholder: field.addText,
		description: field.description,
		wire: { value: pairs },
		options: [
			{
				displayName: 'Pair',
				name: 'pair',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						required: true,
						placeholder: `e.g. ${field.example[0]}`,
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: `e.g. ${field.example[1]}`,
					},
				],
			},
		],
	};
}

/** Makes a control for a whole number, checked against its limits before it is sent. */
export function wholeNumberField(
	field: Omit<Field<number>, 'type' | 'typeOptions' | 'default'> & {
		default: number;
		minValue: number;
		maxValue?: number;
	},
): Field<number> {
	const { minValue, maxValue, ...property } = field;
	return {
		...property,
		type: 'number',
		typeOptions: { minValue, ...(maxValue !== undefined && { maxValue }), numberPrecision: 0 },
	};
}

/** Makes a control for several texts, one per line or an array from an expression. */
export function linesField(
	field: Pick<Field, 'displayName' | 'name' | 'description'> & {
		example: string;
		required?: boolean;
		hint?: string;
		wire?: Field['wire'];
	},
): Field {
	const { example, wire, ...property } = field;
	return {
		...property,
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: `e.g. ${example}`,
		hint: field.hint ?? 'One per line, or an expression that gives an array',
		wire: { value: lines, ...wire },
	};
}
