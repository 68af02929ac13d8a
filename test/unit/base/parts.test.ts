import { Parts } from '../../../nodes/shared/base/parts';

class Count {
	constructor(public from = 0) {}
}

describe('the parts of a run', () => {
	it('are one of each kind, however often they are asked for', () => {
		const run = new Parts();
		run.part(Count).from = 5;
		expect(run.part(Count).from).toBe(5);
		expect(run.part(Map)).not.toBe(run.part(Set));
	});

	it('are its own', () => {
		const [one, other] = [new Parts(), new Parts()];
		expect(one.part(Count)).not.toBe(other.part(Count));
	});

	it('are created when they are first needed, as their first user says', () => {
		const run = new Parts();
		expect(run.part(Count, () => new Count(7)).from).toBe(7);
		expect(run.part(Count, () => new Count(9)).from).toBe(7);
	});
});
