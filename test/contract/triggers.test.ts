/** Every control of the triggers that cost credits, with every value: the contract knows what is sent. */
import { type LocalService, startService } from '../../mock-service';
import { WebDataPageTrigger } from '../../nodes/WebDataPageTrigger/WebDataPageTrigger.node';
import { WebDataSearchTrigger } from '../../nodes/WebDataSearchTrigger/WebDataSearchTrigger.node';
import { PolledTrigger } from '../support/polledTrigger';
import { triggerParameters, triggerSamples } from './controls';

let service: LocalService;
beforeAll(async () => {
	service = await startService({ credits: 1_000_000_000 });
	service.web.setSite(
		'https://example.com',
		['/blog/a', '/b'].map((at) => `https://example.com${at}`),
	);
});
afterAll(async () => await service.close());

describe.each([
	['webDataSearchTrigger', new WebDataSearchTrigger()],
	['webDataPageTrigger', new WebDataPageTrigger()],
])('%s', (_name, node) => {
	const bare = triggerParameters(node);
	/** Returns the requests of a test step with these parameters, which reads also new pages. */
	const sent = async (parameters: typeof bare) => {
		service.requests.length = 0;
		service.violations.length = 0;
		await new PolledTrigger(service, parameters, {}, node).poll('manual');
		return JSON.stringify(service.requests.map(({ body }) => body));
	};

	const known = new Map<string, string>();
	/** Returns the same for parameters that may have been sent before. */
	const sentBefore = async (parameters: typeof bare) => {
		const key = JSON.stringify(parameters);
		const body = known.get(key) ?? (await sent(parameters));
		known.set(key, body);
		return body;
	};

	const samples = triggerSamples(node)
		// What it sends is deliberately unknown to the contract.
		.filter(({ control }) => control !== 'options.additionalBodyFields')
		// A longer wait needs a longer timeout.
		.filter(({ control, entered }) => !/\.waitFor$/.test(control) || Number(entered) <= 15)
		.map((sample) => [sample.control, sample.entered, sample] as const);

	it.each(samples)(
		'is heard in a request that keeps to the contract: %s = %j',
		async (control, entered, { parameters, isSetting }) => {
			const prompt = entered === 'fields' ? { prompt: 'Prices' } : {};
			// A list as long as the limit would fail.
			const options: Record<string, unknown> = { ...(parameters.options as object) };
			if (control === 'options.limit') options.search = 'tea';
			const body = await sent({ ...parameters, options, ...prompt } as typeof bare);
			expect(service.violations).toEqual([]);
			const isLeftAlone =
				entered === '' || JSON.stringify(bare[control]) === JSON.stringify(entered);
			// Sent in any case, but for older services.
			const isUsual =
				(control === 'options.ignoreCache' && entered === true) ||
				(control === 'options.newestFirst' && entered === false);
			if (isSetting || isLeftAlone || isUsual) return;
			// Of a site, the same poll without the control; of the site itself, another one.
			const { triggerOn, output } = parameters;
			const url = control === 'url' ? 'https://example.com' : parameters.url;
			const other = triggerOn === 'site' ? { ...bare, triggerOn, output, url } : bare;
			expect([control, body]).not.toEqual([control, await sentBefore(other)]);
		},
	);
});
