import type { LocalService } from '../../mock-service';

let passed: number | undefined;

/** Makes the nodes' clock go on by `ms` each time the service is asked for something. It is never set back. */
export function passAtEachGet(service: LocalService, ms: number): void {
	if (passed === undefined) {
		passed = 0;
		const now = performance.now.bind(performance);
		jest.spyOn(performance, 'now').mockImplementation(() => now() + passed!);
	}
	const advance = () => {
		passed! += ms;
		return false;
	};
	service.fail({ method: 'GET', when: advance, status: 500 });
}
