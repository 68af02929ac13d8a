/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/**
 * The environment of tests: Node's own realm in place of a sandbox for each file. Nodes run in it beside n8n's engine as
 * they do in n8n, and the files of a worker share the packages that `sharedPackages` names.
 */
import { createRequire } from 'node:module';
import vm, { type CompileFunctionOptions } from 'node:vm';

import type { EnvironmentContext, JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Stands for Node's own realm, which has no context to hand on. */
const OWN_REALM = vm.createContext({});

/** What jest keeps on the global object for the file that runs. */
const KEPT_BY_JEST = ['EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL'].map((name) => Symbol.for(name));

const { compileFunction } = vm;
vm.compileFunction = (code, params, options: CompileFunctionOptions = {}) => {
	const { parsingContext, ...others } = options;
	return compileFunction(code, params, parsingContext === OWN_REALM ? others : options);
};

export default class SharedRealm implements JestEnvironment<unknown> {
	readonly global = globalThis as unknown as JestEnvironment['global'];

	readonly moduleMocker = new ModuleMocker(globalThis);

	readonly fakeTimers = null;

	readonly fakeTimersModern;

	private readonly console = console;

	constructor({ projectConfig }: JestEnvironmentConfig, { testPath }: EnvironmentContext) {
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
		globalThis.sharedRequire = createRequire(testPath);
	}

	async setup(): Promise<void> {}

	/** Leaves the realm to the next file as this one found it, as far as jest's means changed it. */
	async teardown(): Promise<void> {
		this.fakeTimersModern.dispose();
		this.moduleMocker.restoreAllMocks();
		for (const key of KEPT_BY_JEST) Reflect.deleteProperty(globalThis, key);
		globalThis.console = this.console;
	}

	getVmContext(): vm.Context {
		return OWN_REALM;
	}

	exportConditions(): string[] {
		return ['node', 'node-addons'];
	}
}
