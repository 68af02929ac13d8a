import { Span } from '../../../../nodes/shared/transport/limits/span';

const spanOf = (more: Partial<Span>) => Object.assign(new Span(100), more);

it('covers the calls that left from its first to its last', () => {
	const span = spanOf({ to: 200 });
	expect([99, 100, 200, 201].map((at) => span.covers(at))).toEqual([false, true, true, false]);
});

it.each([
	['some of its calls were, and none accepted', { rejected: 2 }, true],
	['one was accepted', { rejected: 2, accepted: 1 }, false],
	['none is answered yet', { sent: 2 }, false],
])('tells whether all was rejected: %s', (_what, span, isRejected) => {
	expect(spanOf(span).isRejected).toBe(isRejected);
});

describe('its pace', () => {
	it('is the share of its calls that were accepted, over its time', () => {
		expect(spanOf({ to: 200, sent: 60, accepted: 20, rejected: 20 }).perMs(1)).toBe(0.3);
	});

	it('is over the shortest time where it is shorter', () => {
		expect(spanOf({ to: 200, sent: 60, accepted: 20 }).perMs(1_000)).toBe(0.06);
	});

	it('is one call where none was accepted', () => {
		expect(spanOf({ to: 200, sent: 4, rejected: 4 }).perMs(1)).toBe(0.01);
		expect(spanOf({ to: 200, sent: 4 }).perMs(1)).toBe(0.04);
	});
});

it.each([
	[0, 0, true],
	[1, 0, true],
	[2, 0, false],
	[2, 8, true],
	[3, 8, false],
])('%i rejected and %i accepted: almost accepted is %p', (rejected, accepted, isAlmost) => {
	expect(spanOf({ rejected, accepted }).isAlmostAccepted(0.1)).toBe(isAlmost);
});
