/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';

import { differencesOf, main } from '../../scripts/compareContract';
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

function differences(change: (file: File) => void = () => {}): string[] {
	const file = ourContract();
	change(file);
	return differencesOf(endpointsOf(ID, () => file));
}

describe('comparing a newer OpenAPI file with the contracts', () => {
	it('finds no difference in the contracts themselves', () => {
		expect(differences()).toEqual([]);
	});

	it('lists endpoints and fields that are new or gone, without what is in them', () => {
		const found = differences(({ paths, components: { schemas } }) => {
			paths['/v2/imaginary'] = { post: { summary: 'Do something new' } };
			delete paths['/v2/map'];
			delete schemas.SearchRequest.properties.location;
			schemas.AgentRequest.properties.pace = { type: 'object', properties: { fast: {} } };
		});
		expect(found).toEqual([
			'new endpoint: POST /v2/imaginary (Do something new)',
			'removed: location in POST /v2/search',
			'new: pace (object) in POST /v2/agent',
			'missing endpoint: POST /v2/map',
		]);
	});

	it('says what changed in enums, defaults, types and what is required', () => {
		const found = differences(({ components }) => {
			const { AgentRequest, MapRequest } = components.schemas;
			AgentRequest.properties.model.enum = ['spark-1-mini', 'spark-2', 'spark-3'];
			AgentRequest.properties.maxCredits.default = 5000;
			AgentRequest.required = ['prompt'];
			MapRequest.properties.limit.type = 'string';
			delete MapRequest.properties.limit.maximum;
		});
		expect(found).toEqual([
			'changed: prompt (now required) in POST /v2/agent',
			'changed: maxCredits (default 2500 → 5000) in POST /v2/agent',
			'changed: model (enum has new "spark-3", enum has no "spark-1-pro" any more) in POST /v2/agent',
			'changed: limit (type "integer" → "string"; maximum 100000 → none) in POST /v2/map',
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

	it('ends with 0 for the same requests in YAML, and for what was accepted', () => {
		const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
		const file = ourContract();
		const accepted = fileOf('accepted.txt', '');
		expect(main([fileOf('same.yaml', dump(file))], accepted)).toBe(0);
		file.components.schemas.ScrapeOptions.properties.mobile = { type: 'boolean', default: true };
		const other = fileOf('mobile.json', JSON.stringify(file));
		expect(main([other], accepted)).toBe(1);
		expect(main([other, '--accept'], accepted)).toBe(0);
		file.components.schemas.SearchRequest.properties.limit = { type: 'integer' };
		expect(main([fileOf('both.json', JSON.stringify(file))], accepted)).toBe(1);
		const said = String(stdout.mock.lastCall![0]);
		expect(said).toMatch(/limit .* in POST \/v2\/search\n/);
		expect(said).not.toContain('mobile');
	});

	it('ends with 2 and says why for a file that is no OpenAPI', () => {
		const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
		expect(main([fileOf('notes.txt', 'Just a text')])).toBe(2);
		expect(stderr).toHaveBeenCalledWith(expect.stringContaining('no YAML or JSON object'));
	});
});
