import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { createNodeResolver, flatConfigs } from 'eslint-plugin-import-x';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const SHIPPED = ['nodes/**/*.ts', 'credentials/**/*.ts'];

/**
 * Room → the rooms of `nodes/shared` that it may import from, so that imports go one way (rooms:
 * docs/maintainers/developing.md).
 */
const IMPORTS = {
	base: [],
	limiter: ['base'],
	form: ['base'],
	fields: ['form', 'base'],
	client: ['limiter', 'base'],
	run: ['client', 'fields', 'form', 'base'],
	jobs: ['run', 'client', 'fields', 'form', 'base'],
	trigger: ['client', 'form', 'base'],
};

const ONE_WAY = Object.entries(IMPORTS).flatMap(([room, allowed]) =>
	Object.keys(IMPORTS)
		.filter((other) => other !== room && !allowed.includes(other))
		.map((other) => ({ target: `./nodes/shared/${room}`, from: `./nodes/shared/${other}` })),
);

// Rules of this project, in addition to those of n8n's CLI (eslint.config.mjs): which room may import which, and a few
// more.
export default tseslint.config(
	{ ignores: ['dist/', 'coverage/', 'artifacts/', 'reports/', '.cache/', '.stryker-tmp/'] },
	{
		files: ['**/*.ts', '**/*.mjs', '**/*.js'],
		extends: [tseslint.configs.recommended, flatConfigs.recommended],
		settings: {
			// Without these, no-cycle can't read what a TypeScript file imports.
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
						{ target: './nodes/shared', from: './nodes/!(shared)/**/*' },
						{
							target: ['./nodes', './credentials'],
							from: ['./api', './mock-service', './test', './scripts', './bench'],
						},
						{ target: './api', from: ['./nodes', './mock-service', './test', './scripts'] },
						{
							target: './mock-service',
							from: ['./nodes', './test', './scripts'],
							except: ['./shared/fields/prices.ts'],
						},
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
	// n8n's verification ignores inline disables as well
	{ files: SHIPPED, linterOptions: { noInlineConfig: true } },
	// A text written by somebody else must not keep n8n busy: the time of a pattern must grow only linearly with its
	// text.
	{
		files: SHIPPED,
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
		},
	},
	// The other files disable n8n's rules for nodes, which only its own configuration turns on.
	{
		ignores: SHIPPED,
		plugins: { '@n8n/community-nodes': n8nCommunityNodesPlugin },
		linterOptions: { reportUnusedDisableDirectives: 'off' },
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
