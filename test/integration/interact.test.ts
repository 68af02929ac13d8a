/** Acting in the browser of a scraped page, on n8n's engine against the stand-in. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { WebDataScrape } from '../../nodes/WebDataScrape/WebDataScrape.node';
import type { LocalService } from '../../mock-service';
import { itemsOf } from '../support/engine';
import { type MoreOptions, served } from '../support/served';

const node = new WebDataScrape();
let service: LocalService;
const run = served({ credits: 1_000_000 }, (started) => (service = started));

async function json(parameters: INodeParameters, more?: MoreOptions): Promise<IDataObject> {
	const { output, error } = await run(node, parameters, more);
	expect(error).toBeUndefined();
	return output[0][0].json;
}

const LOGIN = 'https://shop.example/login';
const scraped = async (profile?: INodeParameters, url = LOGIN) =>
	await json({
		operation: 'scrape',
		url,
		options: { browserOptions: profile ? { profile } : {}, includeRunDetails: true },
	});
const idOf = ({ run: details }: IDataObject) => (details as IDataObject).scrapeId as string;
const scrapeId = async (profile?: INodeParameters) => idOf(await scraped(profile));
const byCode = (id: string, code: string, more: INodeParameters = {}): INodeParameters => ({
	operation: 'interact',
	scrapeId: id,
	instructions: 'code',
	code,
	...more,
});
const byPrompt = (id: string, prompt: string, more: INodeParameters = {}): INodeParameters => ({
	operation: 'interact',
	scrapeId: id,
	prompt,
	...more,
});
const stop = (id: string): INodeParameters => ({ operation: 'stopInteraction', scrapeId: id });
const posts = () => service.requests.filter(({ path }) => path.endsWith('/interact'));

describe('a page behind a login', () => {
	it('is reached with a profile that an interaction has filled, and without it leads to the login', async () => {
		const members = 'https://shop.example/members/orders';
		const profile = { name: 'shop' };
		expect((await scraped(profile, members)).url).toBe(LOGIN);
		const id = await scrapeId(profile);
		const acted = await json(byCode(id, "await page.fill('#user', 'me');"));
		const stopped = await json(stop(acted.scrapeId as string));
		expect(stopped).toMatchObject({ scrapeId: id, success: true, creditsBilled: 2 });
		const reading = { name: 'shop', saveChanges: false };
		expect((await scraped(reading, members)).url).toBe(members);
		expect((await scraped(undefined, members)).url).toBe(LOGIN);
	});
});

it('a scrape whose answer was lost is read again, and not paid for again', async () => {
	const [page, { cost }] = [await scraped(), { cost: service.ledger.length }];
	const again = await json({ operation: 'getScrape', scrapeId: idOf(page) });
	expect(again).toEqual({ ...page, run: undefined });
	expect(service.ledger).toHaveLength(cost);
});

describe('Interact', () => {
	it('sends the prompt or the code that the form shows, and nothing left over of the other', async () => {
		const id = await scrapeId();
		const both = { prompt: 'Open the menu', code: 'await page.title();' };
		const options = { timeoutSeconds: 90 };
		await json(byPrompt(id, both.prompt, { ...both, language: 'python', options }));
		await json({ ...byPrompt(id, both.prompt), ...both, instructions: 'code', language: 'bash' });
		expect(posts().map(({ body }) => body)).toEqual([
			{ prompt: both.prompt, timeout: 90 },
			{ code: both.code, language: 'bash' },
		]);
	});

	it('gives the answer of a prompt, or what code gave, as output, and more if it is not simplified', async () => {
		const id = await scrapeId();
		const answer = await json(byPrompt(id, 'Open the menu'));
		expect(answer).toEqual({
			scrapeId: id,
			output: `Done at ${LOGIN}: Open the menu`,
			liveViewUrl: expect.stringContaining('live'),
			interactiveLiveViewUrl: expect.stringContaining('interactive'),
		});
		expect((await json(byCode(id, 'await page.title();'))).output).toBe(`At ${LOGIN}`);
		const whole = await json(byCode(id, 'await page.title();', { simplify: false }));
		expect(whole).toMatchObject({
			scrapeId: id,
			stdout: `At ${LOGIN}`,
			exitCode: 0,
			killed: false,
		});
	});

	it('does what several items want of one browser in their order', async () => {
		const id = await scrapeId();
		service.fail({
			method: 'POST',
			when: ({ body }) => (body as IDataObject).prompt === 'step 2',
			delayMs: 300,
			times: 1,
		});
		const steps = itemsOf({ n: 1 }, { n: 2 }, { n: 3 });
		Object.assign(service, { maxInFlight: 0 });
		const { output } = await run(node, byPrompt(id, '=step {{ $json.n }}'), { items: steps });
		const asked = posts().map(({ body }) => (body as IDataObject).prompt);
		expect(asked).toEqual(['step 1', 'step 2', 'step 3']);
		expect(service.maxInFlight).toBe(1);
		expect(output[0].map(({ json: { output: told } }) => told)).toEqual(
			asked.map((prompt) => `Done at ${LOGIN}: ${prompt as string}`),
		);
	});

	it('takes no further step in a browser once one has failed, unless the node goes on after errors', async () => {
		const id = await scrapeId();
		const code = `={{ $json.n === 2 ? "throw new Error('No such button')" : 'step' }}`;
		const steps = itemsOf({ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 });
		const { error } = await run(node, byCode(id, code), { items: steps });
		expect(error?.description).toContain('1 had finished, 1 failed and 2 were not sent');
		expect(posts()).toHaveLength(2);
		await run(node, byCode(id, code), { items: steps, onError: 'continueErrorOutput' });
		expect(posts()).toHaveLength(6);
	});
});

describe('instructions that fail', () => {
	const thrown = "throw new Error('No such button')";

	it.each([
		[
			'thrown',
			thrown,
			/^The code failed: Error: No such button/,
			/Correct the code\. Exit code: 1\./,
		],
		['slow code', 'forever', /^The code was stopped: its time/, /Raise Options → Timeout/],
	])(
		'are an error that says why, and that the browser is still open: %s',
		async (_name, code, message, remedy) => {
			const { error } = await run(node, byCode(await scrapeId(), code));
			expect(error?.message).toMatch(message);
			expect(error?.description).toMatch(remedy);
			expect(error?.description).toMatch(/may have been billed\. .* still open, and costs credits/);
		},
	);

	it.each([true, false])(
		'go to the error branch with all that came, success: %s',
		async (success) => {
			const id = await scrapeId();
			const body = {
				success,
				exitCode: 2,
				stdout: 'Half',
				stderr: 'Traceback',
				liveViewUrl: 'https://l',
			};
			service.fail({ path: /interact$/, status: 200, body });
			const { output } = await run(node, byCode(id, 'x'), { onError: 'continueErrorOutput' });
			const [{ json: failed }] = output[1];
			expect(failed.message).toBe('The code failed: Traceback');
			expect((failed.error as IDataObject).data).toEqual({ scrapeId: id, ...body });
		},
	);
});

describe('a browser that cannot be used', () => {
	const errorOf = async (parameters: INodeParameters) => (await run(node, parameters)).error!;

	it('is one whose profile another one saves: the error says how to get on', async () => {
		const profile = { name: 'busy' };
		const [first, second] = [await scrapeId(profile), await scrapeId(profile)];
		const reader = await scrapeId({ ...profile, saveChanges: false });
		await json(byCode(first, 'x'));
		const error = await errorOf(byCode(second, 'x'));
		expect(error.message).toMatch(/^The browser profile is busy: Another session/);
		expect(error.description).toMatch(/Stop Interaction, or wait 10 minutes.*Save Changes/);
		await json(byCode(reader, 'x'));
		await json(stop(first));
		await json(byCode(second, 'x'));
	});

	it('is one that was closed, or that was never opened', async () => {
		const id = await scrapeId();
		expect((await errorOf(stop(id))).message).toBe('No browser is open for this scrape');
		await json(byCode(id, 'x'));
		await json(stop(id));
		expect((await errorOf(stop(id))).message).toBe('No browser is open for this scrape');
		const { message, description } = await errorOf(byCode(id, 'x'));
		expect(message).toBe('No browser is open for this scrape');
		expect(description).toContain('Scrape the page again');
	});
});

it.each<[INodeParameters, string]>([
	[byCode('a/b', 'x'), 'Scrape ID is "a/b", which is not an ID'],
	[byPrompt('a', ' '), 'Prompt is empty'],
	[byCode('a', ' '), 'Code is empty'],
])('%j is rejected before anything is sent', async (parameters, message) => {
	const { error } = await run(node, parameters);
	expect(error?.message).toBe(message);
	expect(service.requests).toEqual([]);
});
