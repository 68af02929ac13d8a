/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/**
 * The environment of tests: Node's own realm in place of a sandbox for each file. Nodes run in it beside n8n's engine as
 * they do in n8n, and the files of a worker share the packages that `sharedPackages` names.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import vm, { type CompileFunctionOptions } from 'node:vm';

import type { JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Stands for Node's own realm, which has no context to hand on. */
const OWN_REALM = vm.createContext({});

/** The symbols under which jest keeps the state of the file that runs, on the global object. */
const KEPT_BY_JEST = /^(JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL)$/;

/** The compiled code of files by their names: each test file runs it anew, but V8 compiles it once for a worker. */
const compiled = new Map<string, { code: string; run: ReturnType<typeof vm.compileFunction> }>();

const { compileFunction } = vm;
vm.compileFunction = (code, params, options: CompileFunctionOptions = {}) => {
	const { parsingContext, importModuleDynamically, filename = '', ...others } = options;
	if (parsingContext !== OWN_REALM) return compileFunction(code, params, options);
	const known = compiled.get(filename);
	if (known?.code === code) return known.run;
	const isShared = !/\bimport\(/.test(code);
	// What it imports belongs to the test file that runs it, and would keep that in memory.
	const own = { ...others, filename, ...(!isShared && { importModuleDynamically }) };
	const run = compileFunction(code, params, own);
	if (isShared) compiled.set(filename, { code, run });
	return run;
};

/** The storages that ran since the last file. Each that is left enabled makes every promise slower; jest leaves one a file. */
const storages = new Set<AsyncLocalStorage<unknown>>();

const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (this: AsyncLocalStorage<unknown>, ...given: never[]) {
	storages.add(this);
	return Reflect.apply(run, this, given);
} as typeof run;

// Jest loads an environment with Node's own `require`, and test files with one of its own.
globalThis.sharedRequire = require;

export default class SharedRealm implements JestEnvironment<unknown> {
	readonly global = globalThis as unknown as JestEnvironment['global'];

	readonly moduleMocker = new ModuleMocker(globalThis);

	readonly fakeTimers = null;

	readonly fakeTimersModern;

	/** What jest replaces for each file. */
	private readonly kept = {
		console,
		exit: process.exit,
		getBuiltinModule: process.getBuiltinModule,
	};

	constructor({ projectConfig }: JestEnvironmentConfig) {
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
	}

	async setup(): Promise<void> {}

	/** Takes back what jest changed in the realm: the next file would inherit it, and keep this one in memory. */
	async teardown(): Promise<void> {
		this.fakeTimersModern.dispose();
		this.moduleMocker.restoreAllMocks();
		for (const storage of storages) storage.disable();
		storages.clear();
		for (const key of Object.getOwnPropertySymbols(globalThis)) {
			if (KEPT_BY_JEST.test(key.description!)) Reflect.deleteProperty(globalThis, key);
		}
		const { console, ...ofProcess } = this.kept;
		Object.assign(globalThis, { console });
		Object.assign(process, ofProcess);
	}

	getVmContext(): vm.Context {
		return OWN_REALM;
	}

	exportConditions(): string[] {
		return ['node', 'node-addons'];
	}
}
