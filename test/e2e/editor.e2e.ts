/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** What a person does in n8n's editor, in headless Chromium. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { IDataObject } from 'n8n-workflow';

import { allNodes } from '../../scripts/lib/nodes';
import { changesOf } from '../contract/kept';
import { type FlowNode, chain, node, ours } from './support/flow';
import type { SavedWorkflow } from './support/lab';
import { openedEditor } from './support/openedEditor';

const opened = openedEditor();

it('many items bring the advice to set Batching', async () => {
	const items = Array.from({ length: 300 }, (_, n) => ({ n }));
	const search = ours('webDataSearch', { operation: 'search', query: '={{ $json.n }}' });
	const workflow = await opened.lab.save(chain([search], { items }));
	await opened.seen('many-items', async () => {
		await opened.editor.openForm(workflow, search.id);
		// n8n's editor knows the items only once the node before has run.
		await opened.page.getByTestId('node-execute-button').click();
		const output = opened.page.getByTestId('output-panel');
		await output.getByText('n8n prepares all these items in one go').waitFor();
	});
});

describe('The canvas', () => {
	it('says under each node what it does', async () => {
		const query = '={{ $json.topic }}';
		const nodes: Record<string, FlowNode> = {
			'Scrape Many Pages and Wait: example.com/a': ours('webDataScrape', {
				operation: 'batchStartAndWait',
				urls: 'https://example.com/a\nhttps://example.com/b',
			}),
			'Search Web: tea': ours('webDataSearch', { operation: 'search', query: 'tea' }),
			'Search Web and Scrape Results': ours(
				'webDataSearch',
				{ operation: 'searchAndScrape', query },
				{ name: 'Another' },
			),
		};
		const trigger = ours('webDataSearchTrigger', { query });
		const workflow = await opened.lab.save(chain(Object.values(nodes), { trigger }));
		await opened.seen('canvas', async () => {
			await opened.editor.openWorkflow(workflow);
			for (const line of ['new results', ...Object.keys(nodes)]) {
				await opened.page.getByText(line, { exact: true }).first().waitFor();
			}
		});
	});
});

describe('A form', () => {
	it('shows an output schema before the node has run', async () => {
		const next = node('n8n-nodes-base.set', {}, { name: 'Next', typeVersion: 3.4 });
		const scrape = ours('webDataScrape', { operation: 'scrape', url: 'https://example.com' });
		const workflow = await opened.lab.save({ ...chain([scrape, next]), pinData: {} });
		await opened.seen('schema-before-the-first-run', async () => {
			await opened.editor.openForm(workflow, next.id);
			await opened.page.getByText('markdown').first().waitFor();
		});
	});

	const url = 'https://example.com';
	const forms: Array<[type: string, parameters: IDataObject, labels: string[]]> = [
		['webDataScrape', { operation: 'batchStartAndWait', urls: url }, ['Formats', 'Simplify']],
		['webDataScrapeTool', { operation: 'scrape', url, output: 'selected' }, ['Output', 'Fields']],
	];
	for (const [type, parameters, labels] of forms) {
		it(`of ${type} shows ${labels.join(' and ')}`, async () => {
			const one = ours(type, parameters);
			const flow = chain([]);
			flow.nodes.push({ ...one, position: [240, 240] });
			const workflow = await opened.lab.save(flow);
			await opened.seen(`form-${type}`, async () => {
				await opened.editor.openForm(workflow, one.id);
				for (const label of labels)
					await opened.page.getByText(label, { exact: true }).first().waitFor();
			});
		});
	}
});

describe("A trigger's test step", () => {
	const cases: Array<{
		type: string;
		parameters: IDataObject;
		shows: RegExp;
		costs?: Record<string, RegExp | undefined>;
	}> = [
		{ type: 'webDataCrawlTrigger', parameters: {}, shows: /completed/ },
		{
			type: 'webDataSearchTrigger',
			parameters: { query: 'solar power' },
			shows: /10 items/,
			costs: { everyMinute: /2,880 credits a day/, everyHour: /48 credits a day/ },
		},
		{
			type: 'webDataPageTrigger',
			parameters: { urls: 'https://shop.example/pricing' },
			shows: /Pro: 10/,
			costs: { everyMinute: /1,440 credits a day/, everyDay: /1 credit a day/ },
		},
	];

	for (const { type, parameters, shows, costs = {} } of cases) {
		it(`of ${type} shows what it would emit, and what its polls cost`, async () => {
			opened.lab.service.web.setPage('https://shop.example/pricing', {
				markdown: '# Plans\n\nPro: 10',
			});
			opened.lab.service.crawls.end(opened.lab.service.crawls.add({ pages: 2 }).id);
			const modes = Object.entries({ ...costs, everyHour: costs.everyHour });
			const triggers = modes.map(([mode], index) =>
				ours(
					type,
					{ pollTimes: { item: [{ mode }] }, ...parameters },
					{ name: mode, position: [index * 300, 0] },
				),
			);
			const flow = { ...chain([]), nodes: triggers, connections: {} };
			const workflow = await opened.lab.save(flow);
			await opened.seen(type, async () => {
				await opened.editor.openWorkflow(workflow);
				for (const [index, [, text]] of modes.entries()) {
					await opened.editor.openNode(triggers[index].id);
					if (text) await opened.page.getByText(text).first().waitFor();
					if (index === modes.length - 1) {
						await opened.page.getByTestId('node-execute-button').click();
						await opened.page.getByText(shows).first().waitFor();
					}
					await opened.editor.closeNode();
				}
			});
		});
	}
});

describe('What was entered', () => {
	/** An action node and a trigger; test/contract/kept.test.ts has all of them. */
	const descriptions = () =>
		allNodes()
			.map(({ description }) => description)
			.filter(({ name }) => ['webDataSearch', 'webDataPageTrigger'].includes(name));

	/** Chooses an entry of a dropdown of the open form. */
	async function choose(name: string, entry: string): Promise<void> {
		await opened.page.getByTestId(`parameter-input-${name}`).locator('input').first().click();
		await opened.page
			.locator('.el-select-dropdown__item:visible')
			.filter({ has: opened.page.getByText(entry, { exact: true }) })
			.first()
			.click();
	}

	/** Saves the open workflow; returns the parameters of its nodes by ID, once all of them are saved. */
	async function saved({ id }: SavedWorkflow, isSaved: (node: FlowNode) => boolean) {
		await opened.page.keyboard.press('Control+s');
		for (let tries = 0; ; tries++) {
			const { nodes } = (await opened.lab.client.getWorkflow(id)) as SavedWorkflow;
			if (nodes.every(isSaved)) return new Map(nodes.map((one) => [one.id, one.parameters]));
			assert.ok(
				tries < 100,
				`not saved: ${nodes
					.filter((one) => !isSaved(one))
					.map(({ name }) => name)
					.join()}`,
			);
			await opened.page.waitForTimeout(200);
		}
	}

	for (const description of descriptions()) {
		const { field, entered, changes } = changesOf(description);
		it(`stays when ${field.displayName} of ${description.displayName} changes`, async () => {
			const nodes = changes.map(({ from }, index) => {
				const parameters = { ...entered, [field.name]: from.value as string };
				return ours(description.name, parameters, {
					name: from.name,
					position: [(index % 4) * 300, Math.floor(index / 4) * 200],
				});
			});
			const workflow = await opened.lab.save({ ...chain([]), nodes, connections: {} });
			await opened.seen(`kept-${description.name}`, async () => {
				await opened.editor.openWorkflow(workflow);
				for (const [index, { to }] of changes.entries()) {
					await opened.editor.openNode(nodes[index].id);
					await choose(field.name, to.name);
					await opened.editor.closeNode();
				}
				// n8n doesn't save a default.
				const isChanged = ({ id, parameters }: FlowNode) => {
					const change = changes[nodes.findIndex((one) => one.id === id)];
					return (parameters[field.name] ?? field.default) === change.to.value;
				};
				const kept = await saved(workflow, isChanged);
				for (const [index, { to, shared }] of changes.entries()) {
					for (const name of shared) {
						assert.deepEqual(
							kept.get(nodes[index].id)![name],
							entered[name],
							`${to.name}: ${name}`,
						);
					}
				}
			});
		});
	}
});

describe('Credential', () => {
	/** Creates a credential in the editor, which tests it when it is saved. */
	async function create(baseUrl: string, apiKey: string): Promise<void> {
		await opened.editor.go('/home/credentials/create');
		await opened.page.getByTestId('new-credential-type-select').locator('input').fill('Web Data');
		await opened.page
			.getByTestId('new-credential-type-select-option')
			.filter({ hasText: 'Web Data Service API' })
			.click();
		await opened.page.getByTestId('new-credential-type-button').click();
		await opened.page.getByTestId('parameter-input-baseUrl').locator('input').fill(baseUrl);
		await opened.page.getByTestId('parameter-input-apiKey').locator('input').fill(apiKey);
		await opened.page.getByTestId('credential-save-button').click();
	}

	/** Returns what the test of the credential just saved found wrong. */
	async function problem(): Promise<string> {
		await opened.page.getByText('More details').click();
		return await opened.page.getByTestId('editCredential-modal').innerText();
	}

	afterEach(async () => {
		const modal = opened.page.getByTestId('editCredential-modal');
		await modal.locator('.el-dialog__headerbtn').click();
		await modal.waitFor({ state: 'detached' });
	});

	it('is created and passes its test', async () => {
		await opened.seen('credential-right', async () => {
			await create(`${opened.lab.service.url}/v2/`, opened.lab.service.apiKey);
			await opened.page.getByTestId('credentials-config-container-test-success').waitFor();
		});
	});

	it('with a wrong key says so', async () => {
		await opened.seen('credential-wrong-key', async () => {
			await create(opened.lab.service.url, 'not-the-key');
			assert.match(await problem(), /rejected the API key/);
		});
	});
});

it('a 402 says what happened and what to do', async () => {
	opened.lab.service.fail({
		path: '/v2/search',
		status: 402,
		body: { error: 'Insufficient credits' },
	});
	const search = ours('webDataSearch', { operation: 'search', query: 'tea' });
	const workflow = await opened.lab.save(chain([search, node('n8n-nodes-base.noOp')]));
	await opened.seen('error-402', async () => {
		await opened.editor.openForm(workflow, search.id);
		await opened.page.getByTestId('node-execute-button').click();
		const panel = opened.page.getByTestId('output-panel');
		await panel
			.getByText(/credit/i)
			.first()
			.waitFor();
		const text = await panel.innerText();
		assert.match(text, /Insufficient credits|402/);
		assert.equal(text.includes(opened.lab.service.apiKey), false);
	});
});
