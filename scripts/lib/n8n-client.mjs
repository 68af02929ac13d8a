import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'flatted';

const POLL_MS = 200;
const ENDED = new Set(['success', 'error', 'canceled', 'crashed']);

/** The part of n8n's internal REST API (the one its editor uses) that the demo and the tests need. */
export class N8nClient {
	/** @param {string} url such as `http://127.0.0.1:5678` */
	constructor(url) {
		this.url = url;
		this.cookie = '';
	}

	/** @returns {Promise<any>} the `data` of the response */
	async request(method, path, body) {
		const response = await fetch(`${this.url}/rest${path}`, {
			method,
			headers: {
				// On a busy machine, n8n may close an idle connection just as it is used again.
				connection: 'close',
				...(this.cookie ? { cookie: this.cookie } : {}),
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const text = await response.text();
		const { ok, status } = response;
		if (!ok) {
			const message = `n8n answered ${status} to ${method} ${path}: ${text.slice(0, 500)}`;
			throw Object.assign(new Error(message), { status });
		}
		const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
		if (cookies.length > 0) this.cookie = cookies.join('; ');
		const given = text === '' ? {} : JSON.parse(text);
		return given.data ?? given;
	}

	/** Waits until n8n serves requests (it answers 404 or 503 while it starts). */
	async ready(timeoutMs) {
		const end = Date.now() + timeoutMs;
		for (;;) {
			const status = await fetch(`${this.url}/rest/login`).then(
				(response) => response.status,
				() => 0,
			);
			// nobody is logged in yet
			if (status === 200 || status === 401) return;
			if (Date.now() > end) throw new Error(`n8n at ${this.url} does not answer`);
			await sleep(POLL_MS);
		}
	}

	/**
	 * Creates the owner of a new n8n, or logs in if there already is one.
	 * @param {{ email: string; password: string }} owner
	 */
	async enter({ email, password }) {
		const logIn = async () =>
			await this.request('POST', '/login', { emailOrLdapLoginId: email, email, password });
		try {
			await logIn();
		} catch (error) {
			// only a response has a status
			if (error.status === undefined) throw error;
			const owner = { email, password, firstName: 'Local', lastName: 'User' };
			await this.request('POST', '/owner/setup', owner);
			await logIn();
		}
	}

	/**
	 * Creates the credential with this name and type, or replaces its data.
	 * @returns {Promise<{ id: string; name: string; type: string }>}
	 */
	async saveCredential({ name, type, data }) {
		const all = await this.request('GET', '/credentials');
		const old = all.find((one) => one.name === name && one.type === type);
		const saved = old
			? await this.request('PATCH', `/credentials/${old.id}`, { name, type, data })
			: await this.request('POST', '/credentials', { name, type, data });
		return { id: saved.id, name, type };
	}

	/** Returns the result that the credential's Test button shows: `{ status: 'OK' | 'Error', message }`. */
	async testCredential({ id, name, type }, data) {
		return await this.request('POST', '/credentials/test', {
			credentials: { id, name, type, data },
		});
	}

	/** Returns the saved workflow, or null if there is none with this ID. */
	async getWorkflow(id) {
		try {
			return await this.request('GET', `/workflows/${id}`);
		} catch (error) {
			if ([403, 404].includes(error.status)) return null;
			throw error;
		}
	}

	/** Creates the workflow, or replaces the one with its ID. Returns the saved one. */
	async saveWorkflow(workflow) {
		const old = workflow.id === undefined ? null : await this.getWorkflow(workflow.id);
		if (old === null) {
			return await this.request('POST', '/workflows', { active: false, settings: {}, ...workflow });
		}
		if (old.isArchived) await this.request('POST', `/workflows/${old.id}/unarchive`, {});
		return await this.request('PATCH', `/workflows/${old.id}?forceSave=true`, {
			name: workflow.name,
			nodes: workflow.nodes,
			connections: workflow.connections,
			settings: workflow.settings ?? {},
		});
	}

	/** Returns the newest execution of a workflow that has ended, if there is one. */
	async newestExecution(workflowId) {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['success', 'error'] }));
		const { results } = await this.request('GET', `/executions?limit=1&filter=${filter}`);
		return results.length === 0 ? undefined : await this.execution(results[0].id);
	}

	/** Starts the workflow from its trigger, as the editor's Execute button does. Returns the execution's ID. */
	async start(workflow, trigger) {
		const { executionId } = await this.request('POST', `/workflows/${workflow.id}/run`, {
			workflowData: workflow,
			triggerToStartFrom: { name: trigger },
			startNodes: [],
		});
		return executionId;
	}

	/** Returns the current state of the execution, with the data saved so far. */
	async execution(executionId) {
		const execution = await this.request('GET', `/executions/${executionId}`);
		return { ...execution, data: execution.data && parse(execution.data) };
	}

	/**
	 * Waits for an execution's end.
	 * @returns {Promise<{ id: string; status: string; data: any; startedAt: string; stoppedAt: string }>} with `data` as
	 * n8n-workflow's IRunExecutionData
	 */
	async finished(executionId, timeoutMs = 60_000) {
		const end = Date.now() + timeoutMs;
		for (;;) {
			const execution = await this.execution(executionId);
			// n8n 1.x may report the end a moment before it has saved the data
			if (ENDED.has(execution.status) && execution.data?.resultData) return execution;
			if (Date.now() > end) {
				throw new Error(
					`Execution ${executionId} is ${execution.status} without its data after ${timeoutMs / 1000} s`,
				);
			}
			await sleep(POLL_MS);
		}
	}

	/** Runs a saved workflow from its trigger and waits for the end. */
	async run(workflow, trigger, timeoutMs) {
		return await this.finished(await this.start(workflow, trigger), timeoutMs);
	}

	/** Returns the rows of the data table with this name, or null if there is none. */
	async tableRows(name) {
		const { id } = await this.request('GET', '/projects/personal');
		const tables = `/projects/${id}/data-tables`;
		const all = await this.request('GET', `${tables}?take=250`);
		const table = all.data.find((one) => one.name === name);
		if (!table) return null;
		return (await this.request('GET', `${tables}/${table.id}/rows?take=250`)).data;
	}
}

/**
 * Returns the items from a node's output in its last run.
 * @param {{ data: any }} execution
 * @param {string} node
 * @param {number} [output] index of the output: 1 is the error output of a node with one regular output
 * @returns {Array<{ json: any; binary?: any; pairedItem?: any; error?: any }>}
 */
export function itemsOf(execution, node, output = 0) {
	const runs = execution.data.resultData.runData[node];
	return runs?.at(-1)?.data?.main?.[output] ?? [];
}
