import eslint from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { createNodeResolver, flatConfigs } from 'eslint-plugin-import-x';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const SHIPPED = ['nodes/**/*.ts', 'credentials/**/*.ts'];

/** Room → the rooms it must not import from, so that imports go one way (rooms: docs/maintainers/developing.md). */
const ONE_WAY = Object.entries({
	'./nodes/shared/form': ['transport', 'fields', 'operation.ts', 'engine', 'jobs', 'trigger'],
	'./nodes/shared/transport': ['form', 'fields', 'operation.ts', 'engine', 'jobs', 'trigger'],
	'./nodes/shared/fields': ['transport', 'operation.ts', 'engine', 'jobs', 'trigger'],
	'./nodes/shared/operation.ts': ['engine', 'jobs', 'trigger'],
	'./nodes/shared/engine': ['jobs', 'trigger'],
	'./nodes/shared/jobs': ['trigger'],
	'./nodes/shared/trigger': ['operation.ts', 'engine', 'jobs'],
}).map(([target, rooms]) => ({ target, from: rooms.map((room) => `./nodes/shared/${room}`) }));

// The configuration of n8n's own CLI for community nodes, put together from the plugins it uses.
export default tseslint.config(
	{ ignores: ['dist/', 'coverage/', 'artifacts/', 'reports/', '.cache/', '.stryker-tmp/'] },
	{
		files: ['**/*.ts', '**/*.mjs', '**/*.js'],
		extends: [eslint.configs.recommended, tseslint.configs.recommended, flatConfigs.recommended],
		settings: {
			// Without these no-cycle can't read what a TypeScript file imports.
			'import-x/extensions': ['.ts', '.js', '.mjs'],
			'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
			'import-x/resolver-next': [
				createNodeResolver({ extensions: ['.ts', '.js', '.mjs', '.json'] }),
			],
		},
		rules: {
			'no-console': 'error',
			'import-x/no-cycle': 'error',
			'import-x/no-restricted-paths': [
				'error',
				{
					zones: [
						...ONE_WAY,
						{
							target: [
								'./credentials',
								'./nodes/!(shared)/**/*',
								'./nodes/shared/!(transport)/**/*',
								'./nodes/shared/*.ts',
							],
							from: './nodes/shared/transport',
							except: ['./index.ts'],
							message: 'Import it from the index of transport/.',
						},
						{ target: './nodes/shared', from: './nodes/!(shared)/**/*' },
						{
							target: ['./nodes', './credentials'],
							from: ['./api', './mock-service', './test', './scripts', './bench'],
						},
						{ target: './api', from: ['./nodes', './mock-service', './test', './scripts'] },
						{ target: './mock-service', from: ['./nodes', './test', './scripts'] },
					],
				},
			],
			eqeqeq: 'error',
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
			],
			'@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
		},
	},
	// n8n's verification does not heed inline disables either
	{ files: SHIPPED, linterOptions: { noInlineConfig: true } },
	{
		files: [...SHIPPED, 'package.json'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
	},
	{
		files: ['package.json'],
		languageOptions: {
			parser: tseslint.parser,
			parserOptions: { extraFileExtensions: ['.json'] },
		},
		rules: n8nNodesBase.configs.community.rules,
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// wants the name of a page in n8n's own docs; community credentials give a URL
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
	{
		files: ['**/*.js', '**/*.mjs'],
		languageOptions: {
			globals: Object.fromEntries(
				['Buffer', 'clearInterval', 'clearTimeout', 'console', 'fetch', 'process', 'setInterval']
					.concat(['setTimeout', 'URL', 'document', 'window'])
					.map((name) => [name, 'readonly']),
			),
		},
	},
	{
		files: ['**/*.js'],
		languageOptions: {
			sourceType: 'commonjs',
			globals: {
				module: 'writable',
				require: 'readonly',
				exports: 'writable',
				__dirname: 'readonly',
			},
		},
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
);
