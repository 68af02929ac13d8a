/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';

import { type Difference, compareContract, main } from '../../scripts/compareContract';
import { endpointsOf } from '../../api/requestFields';
import { type Schema, beyondFile, wholeDocument } from '../../api/files';

type Paths = Record<string, Record<string, Schema>>;
type Schemas = Record<string, { properties: Record<string, Schema>; required?: string[] }>;

interface File extends Schema {
	paths: Paths;
	components: { schemas: Schemas };
}

/** Returns both of our contracts as the one file that a service would publish. */
function ourContract(): File {
	const [document, beyond] = [wholeDocument, beyondFile] as unknown as File[];
	const paths: Paths = { ...document.paths };
	for (const [path, item] of Object.entries(beyond.paths))
		paths[path] = { ...paths[path], ...item };
	const file = {
		openapi: '3.1.0',
		paths,
		components: {
			...document.components,
			schemas: { ...document.components.schemas, ...beyond.components.schemas },
		},
	};
	return JSON.parse(JSON.stringify(file).replace(/"(?:beyond\.)?openapi\.yaml#/g, '"#')) as File;
}

const ID = 'file:///newer.yaml';

async function differencesOf(change: (file: File) => void): Promise<Difference[]> {
	const file = ourContract();
	change(file);
	return compareContract(endpointsOf(ID, () => file)).differences;
}

const inShort = (differences: Difference[]) =>
	differences.map(({ kind, endpoint, field, detail }) =>
		[kind, endpoint, field, detail].filter(Boolean).join(' | '),
	);

describe('comparing a newer OpenAPI file with the contracts', () => {
	it('finds no difference in the contracts themselves', async () => {
		const comparison = compareContract(endpointsOf(ID, ourContract));
		expect(inShort(comparison.differences)).toEqual([]);
		expect(comparison.notCompared).toEqual([]);
		expect(comparison.compared).toBe(
			Object.values(ourContract().paths).flatMap((item) => Object.keys(item)).length,
		);
	});

	it('lists a new endpoint and one that is gone with the forms that used it', async () => {
		const differences = await differencesOf(({ paths }) => {
			paths['/v2/imaginary'] = { post: { summary: 'Do something new' } };
			delete paths['/v2/map'];
		});
		expect(inShort(differences)).toEqual([
			'new endpoint | POST /v2/imaginary | Do something new',
			'missing endpoint | POST /v2/map',
		]);
		expect(differences[1].attention).toEqual(['Web Data Scrape: List Pages of Site']);
	});

	it('lists a removed field with the controls that fill it or what is in it', async () => {
		const differences = await differencesOf(({ components }) => {
			delete components.schemas.SearchRequest.properties.enterprise;
			delete components.schemas.MapRequest.properties.location;
			delete components.schemas.AgentRequest.properties.prompt;
		});
		expect(inShort(differences)).toEqual([
			'removed | POST /v2/search | enterprise',
			'removed | POST /v2/agent | prompt',
			'removed | POST /v2/map | location',
		]);
		expect(differences.map(({ attention }) => attention)).toEqual([
			[
				'Web Data Search: Search Web → options.enterprise',
				'Web Data Search: Search Web and Scrape Results → options.enterprise',
			],
			[
				'Web Data Agent: Run Agent Task and Get Result → prompt',
				'Web Data Agent: Start Agent Task → prompt',
			],
			[
				'Web Data Scrape: List Pages of Site → options.location.country',
				'Web Data Scrape: List Pages of Site → options.location.languages',
			],
		]);
	});

	it('says what changed in enums, defaults, types and what is required', async () => {
		const differences = await differencesOf(({ components }) => {
			const { AgentRequest, MapRequest } = components.schemas;
			AgentRequest.properties.model.enum = ['spark-1-mini', 'spark-2', 'spark-3'];
			AgentRequest.properties.maxCredits.default = 5000;
			AgentRequest.required = ['prompt'];
			MapRequest.properties.limit.type = 'string';
			delete MapRequest.properties.limit.maximum;
		});
		expect(inShort(differences)).toEqual([
			'changed | POST /v2/agent | prompt | now required',
			'changed | POST /v2/agent | maxCredits | default 2500 → 5000',
			'changed | POST /v2/agent | model | enum has new "spark-3", enum has no "spark-1-pro" any more',
			'changed | POST /v2/map | limit | type "integer" → "string"; maximum 100000 → none',
		]);
	});
});

describe('npm run contract:compare', () => {
	let folder: string;
	beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'contract-'))));
	afterAll(() => rmSync(folder, { recursive: true }));
	afterEach(() => jest.restoreAllMocks());

	const fileOf = (name: string, text: string) => {
		writeFileSync(join(folder, name), text);
		return join(folder, name);
	};

	it('ends with 0 for the same requests in YAML', () => {
		const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
		expect(main([fileOf('same.yaml', dump(ourContract()))])).toBe(0);
		expect(stdout).toHaveBeenCalledWith(expect.stringContaining('No difference.'));
	});

	it('ends with 0 for what was accepted, and tells once what several endpoints share', () => {
		const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
		const file = ourContract();
		file.components.schemas.ScrapeOptions.properties.mobile = { type: 'boolean', default: true };
		const other = fileOf('mobile.json', JSON.stringify(file));
		const accepted = join(folder, 'accepted.txt');
		expect(main([other], accepted)).toBe(1);
		const said = String(stdout.mock.lastCall![0]);
		// A target of a monitor has them at another place.
		expect(said).toContain('Differences: 3\n');
		expect(said).toMatch(/in POST \/v2\/search, .*POST \/v2\/scrape/);
		expect(said.split('\n').length).toBeLessThan(24);
		expect(main([other, '--accept'], accepted)).toBe(0);
		expect(main([other], accepted)).toBe(0);
		expect(String(stdout.mock.lastCall![0])).toContain(
			'No difference, besides 3 that are accepted.',
		);
		expect(readFileSync(accepted, 'utf8')).toMatch(/^changed: mobile .* in POST .*$/m);
		writeFileSync(accepted, readFileSync(accepted, 'utf8').replace('POST /v2/search, ', ''));
		expect(main([other], accepted)).toBe(1);
		expect(String(stdout.mock.lastCall![0])).toContain('in POST /v2/search\n');
		expect(main([other, '--accept'], accepted)).toBe(0);
		file.components.schemas.SearchRequest.properties.limit = { type: 'integer' };
		expect(main([fileOf('both.json', JSON.stringify(file))], accepted)).toBe(1);
		expect(String(stdout.mock.lastCall![0])).not.toContain('mobile');
	});

	it('ends with 2 and says why for a file that is no OpenAPI', () => {
		const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
		expect(main([fileOf('notes.txt', 'Just a text')])).toBe(2);
		expect(stderr).toHaveBeenCalledWith(expect.stringContaining('no YAML or JSON object'));
	});
});
