/**
 * Random histories of a monitor: checks, reports that come once, several times at once, late or never, n8n dying and
 * starting, other nodes that save over the memory, and a service that can't be read. Each change starts the workflow
 * exactly once.
 */
import { type LocalService, startService } from '../../../mock-service';
import { random } from '../../support/keptState';
import { runCheck } from '../../support/monitorCheck';
import { seeds } from '../../support/seeds';
import { WebhookTrigger } from '../../support/webhookTrigger';

const URL = 'https://a.example/page';
const STEPS = 30;

let service: LocalService;
beforeAll(async () => {
	service = await startService({ jobMs: 1, reportTimes: 0 });
});
afterAll(async () => await service.close());

const counts = { emitted: 0, twice: 0, deaths: 0, overwritten: 0, unread: 0 };

/** Returns the versions of the page that started the workflow, and those that should have. */
async function history(seed: number): Promise<{ emitted: number[]; wanted: number[] }> {
	const { chance, below } = random(seed);
	const trigger = await new WebhookTrigger(service).listen();
	await trigger.publish();
	const { id } = trigger.kept.monitor!;
	let version = 0;
	let isStale = false;
	const check = async () => {
		service.web.setPage(URL, { markdown: `v${++version}` });
		await runCheck(service, id);
	};
	const report = async (times = 1) => {
		await Promise.all(Array.from({ length: times }, async () => await trigger.report()));
		isStale = false;
	};
	const steps: Array<() => Promise<unknown>> = [
		check,
		check,
		check,
		async () => await report(),
		async () => {
			counts.twice++;
			await report(2 + below(2));
		},
		async () => {
			// What another node saves over it is made good by the next report.
			if (isStale) await report();
			await trigger.start();
		},
		async () => {
			counts.deaths++;
			if (isStale) await report();
			trigger.dies = 'beforeSaving';
			await trigger.report();
			trigger.dies = undefined;
			if (chance(0.5)) await check();
			await trigger.start();
		},
		async () => {
			counts.overwritten++;
			const { saved } = trigger;
			await report();
			trigger.saved = saved;
			isStale = true;
		},
		async () => {
			counts.unread++;
			service.fail({ method: 'GET', path: chance(0.5) ? /checks$/ : /checks\/./, status: 403 });
			await trigger.report();
			service.clearFaults();
		},
	];
	await check();
	for (let step = 0; step < STEPS; step++) await steps[below(steps.length)]();
	await report();
	await trigger.unpublish();
	await trigger.close();
	const emitted = trigger.started
		.flat()
		.map(({ diff }) => Number(/^\+v(\d+)$/m.exec(String(diff))?.[1]));
	counts.emitted += emitted.length;
	return {
		emitted: emitted.sort((one, other) => one - other),
		wanted: Array.from({ length: version - 1 }, (_, index) => index + 2),
	};
}

it.each(seeds(6))('history %i emits each change once', async (seed) => {
	const { emitted, wanted } = await history(seed);
	expect(emitted).toEqual(wanted);
});

it('and has had all of it happen', () => {
	for (const count of Object.values(counts)) expect(count).toBeGreaterThan(5);
});
