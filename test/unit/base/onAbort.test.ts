import { onAbort } from '../../../nodes/shared/base/time';

it('calls all listeners of a signal that were not taken back, once, through one listener of its own', () => {
	const controller = new AbortController();
	const { signal } = controller;
	const add = jest.spyOn(signal, 'addEventListener');
	const called: number[] = [];
	const undo = Array.from({ length: 20 }, (_, n) => onAbort(signal, () => called.push(n)));
	undo.slice(2).forEach((one) => one());
	controller.abort();
	controller.abort();
	expect(called).toEqual([0, 1]);
	expect(add).toHaveBeenCalledTimes(1);
});
