import { Pace } from '../../../../nodes/shared/transport/limits/pace';

describe('Pace', () => {
	it('waits as long as a 429 asks', () => {
		const pace = new Pace();
		pace.limited(0, 10, 3_000);
		expect(pace.earliest()).toBe(3_010);
	});
});
