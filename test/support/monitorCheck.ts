import type { LocalService } from '../../mock-service';
import { until } from './until';

/** Has the local service check a monitor, and waits for the end of the check. */
export async function runCheck(service: LocalService, id: string): Promise<void> {
	const ask = async (method: string, path: string) => {
		const headers = { authorization: `Bearer ${service.apiKey}` };
		const response = await fetch(`${service.url}/v2/monitor/${id}${path}`, { method, headers });
		return (await response.json()) as { data: { currentCheckId: string | null } };
	};
	await ask('POST', '/run');
	const isOver = async () => (await ask('GET', '')).data.currentCheckId === null;
	await until('the end of a check', isOver, 10_000, 5);
}
