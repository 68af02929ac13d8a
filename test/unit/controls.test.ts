/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Linter } from 'eslint';
import type { INodeType } from 'n8n-workflow';
import { parser } from 'typescript-eslint';

const { rules, configs } = jest.requireActual<{
	rules: NonNullable<Linter.Config['plugins']>[string]['rules'];
	configs: { nodes: { rules: Linter.RulesRecord } };
}>('eslint-plugin-n8n-nodes-base');

const NODES = join(__dirname, '../../nodes');
const names = readdirSync(NODES).filter((name) => name.startsWith('WebData'));

// A language's code follows its name.
const LANGUAGE = /name: '.* \([a-z]{2}(-[A-Z]{2})?\)',/;

// Choices are in the order in which people need them, and a search bills by its Limit.
const IGNORED = /unsorted-items$|max-value-present$|wrong-for-limit$/;

/** Lints the controls as n8n gets them, since the linter can't see what a function creates. */
function problemsOf(name: string): string[] {
	const path = join(NODES, name, `${name}.node.ts`);
	const classes = jest.requireActual<Record<string, new () => INodeType>>(path);
	const { properties } = new classes[name]().description;
	const depth = { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity };
	const text = inspect(properties, depth).replace(/\[(AsyncF|F)unction[^\]]*\]/g, 'null');
	const messages = new Linter().verify(`export const properties = ${text};`, [
		{
			languageOptions: { parser },
			plugins: { 'n8n-nodes-base': { rules } },
			rules: configs.nodes.rules,
		},
	]);
	return messages
		.filter(({ ruleId, line }) => {
			const isCode = LANGUAGE.test(text.split('\n')[line - 1]);
			return !IGNORED.test(ruleId ?? '') && !isCode;
		})
		.map(({ message, line }) => `${message} ${text.split('\n')[line - 1]}`);
}

describe("controls keep n8n's rules for texts and defaults", () => {
	it.each(names)('%s', (name) => {
		expect(problemsOf(name)).toEqual([]);
	});
});
