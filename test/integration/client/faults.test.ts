import { startService } from '../../../mock-service';
import { callNode } from '../../support/callNode';
import { itemsOf, runNode } from '../../support/engine';
import { seeds } from '../../support/seeds';

const ITEMS = 200;

it.each(seeds(1))(
	'200 items under random faults end as results or errors of their own, none paid twice: seed %i',
	async (seed) => {
		const service = await startService({ seed, credits: 1_000_000 });
		const faults = [
			{ status: 429, headers: { 'retry-after': '0' } },
			{ status: 500, body: { success: false, code: 'UNKNOWN_ERROR', error: 'oops' } },
			{ reset: 'before' as const },
			{ reset: 'after' as const },
			{ truncate: true },
			{ truncate: 'length' as const },
		];
		for (const fault of faults) service.fail({ ...fault, probability: 0.05 });
		const { output, error } = await runNode({
			nodeType: callNode(),
			parameters: {},
			items: itemsOf(...Array.from({ length: ITEMS }, (_, n) => ({ n }))),
			credentials: { baseUrl: service.url, apiKey: service.apiKey },
			onError: 'continueErrorOutput',
		});
		await service.close();

		expect(error).toBeUndefined();
		const paid = service.ledger.map((entry) => (entry.body as { query: string }).query);
		expect(new Set(paid).size).toBe(paid.length);
		const [results, failed] = output;
		const indexes = [...results, ...failed].map(
			(item) => (item.pairedItem as { item: number }).item,
		);
		expect([...indexes].sort((a, b) => a - b)).toEqual(Array.from({ length: ITEMS }, (_, n) => n));
		expect(failed.length).toBeGreaterThan(0);
		for (const item of results) {
			expect(item.json.success).toBe(true);
			const { item: index } = item.pairedItem as { item: number };
			expect(paid).toContain(`item ${index}`);
		}
		for (const item of failed) expect(item.error).toBeDefined();
	},
);
