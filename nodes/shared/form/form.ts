import type { IDataObject } from 'n8n-workflow';

import { valueAt } from '../base/json';
import type { Composed } from './compose';
import type { Field, ItemPlace, Place } from './field';

/** A form that has been filled in and checked. */
export class Form<At extends Place = ItemPlace> {
	readonly body: IDataObject;
	readonly settings: IDataObject;

	constructor(
		private readonly composed: Composed,
		readonly place: At,
	) {
		this.body = composed.body;
		this.settings = composed.settings;
	}

	/** Returns the checked value of a field; undefined if it wasn't set. */
	readonly get = <Value>({ name, wire }: Field<Value>): Value | undefined =>
		valueAt(this.composed[wire?.in ?? 'body'], wire?.as ?? name) as Value | undefined;

	/** Returns the checked value of a field, or its default if it was left alone; of a time, ms. */
	readonly value = <Value>(field: Field<Value>): Value => {
		const { default: standard, wire } = field;
		const unset = wire?.unitMs ? Number(standard) * wire.unitMs : standard;
		return this.get(field) ?? (unset as Value);
	};
}
