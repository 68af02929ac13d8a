/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PACKAGE_NAME, ROOT } from '../scripts/lib/paths.mjs';
import { Lab } from '../test/e2e/support/lab';
import { CREDITS, MEASURED, OURS, searches } from './flows';
import { measure } from './run';

/** The longest time that the package's code ran between two turns of n8n's event loop, in ms of CPU. */
export interface StretchCost {
	count: number;
	ownMs: number;
	/** Including garbage collection, for those with at least 10 ms of the package's code. */
	withGcMs: number;
}

interface Profile {
	nodes: Array<{
		id: number;
		callFrame: { functionName: string; url: string };
		children?: number[];
	}>;
	samples: number[];
	/** Time between the samples, in µs. */
	timeDeltas: number[];
	startTime: number;
}

/** When n8n's event loop turned, and the CPU that its main thread had used by then, in µs. */
type Turn = [at: number, cpu: number];

/** Shortest work that counts as keeping n8n busy when garbage is collected, in µs. */
const SHORTEST_US = 10_000;

/** What a sample of the profile was taken of. */
type Kind = 'own' | 'gc' | 'other';

/** One execution, in µs of the machine's clock. */
interface Span {
	count: number;
	from: number;
	to: number;
}

const now = () => Number(process.hrtime.bigint() / 1000n);

/**
 * Runs searches with these numbers of items on an n8n that profiles itself, and returns the longest uninterrupted work
 * of the package's own code in each run, including what it calls in n8n. Uses a separate n8n, because profiling costs
 * time.
 */
export async function longestStretches(counts: number[], warmUp: number): Promise<StretchCost[]> {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-profile-'));
	try {
		const preload = join(ROOT, 'bench', 'loopTurns.cjs');
		const lab = await Lab.open({
			service: { credits: CREDITS },
			env: {
				NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder} --require=${preload}`,
				LOOP_TURNS: folder,
			},
		});
		const { pid } = lab.n8n;
		const spans: Span[] = [];
		try {
			const bench = { lab, bearer: lab.credential };
			await measure(lab, searches[OURS](bench, warmUp), MEASURED);
			for (const count of counts) {
				const from = now();
				await measure(lab, searches[OURS](bench, count), MEASURED);
				spans.push({ count, from, to: now() });
				lab.service.requests.length = 0;
			}
		} finally {
			await lab.close();
		}
		const isOfN8n = (file: string) =>
			file.endsWith('.cpuprofile') && file.split('.').includes(String(pid));
		const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as unknown;
		const profile = read(readdirSync(folder).find(isOfN8n)!) as Profile;
		const turns = read(`turns.${pid}.json`) as Turn[];
		return spans.map((span) => longestIn(span, profile, turns));
	} finally {
		rmSync(folder, { recursive: true });
	}
}

function longestIn({ count, from, to }: Span, profile: Profile, turns: Turn[]): StretchCost {
	const kindOf = kinds(profile);
	let [longestOwn, longestWithGc] = [0, 0];
	let current = { own: 0, gc: 0 };
	let at = profile.startTime;
	let turn = 0;
	profile.samples.forEach((id, index) => {
		const us = profile.timeDeltas[index];
		at += us;
		const turnBefore = turn;
		while (turns[turn]?.[0] <= at) turn++;
		const kind = kindOf.get(id)!;
		if (at < from || at > to || turns[turn] === undefined) return;
		if (turn !== turnBefore || kind === 'other') current = { own: 0, gc: 0 };
		if (kind !== 'other') current[kind] += us;
		// The rest is time in which the machine gave n8n no CPU.
		const cpuUs = turns[turn][1] - (turns[turn - 1]?.[1] ?? 0);
		longestOwn = Math.max(longestOwn, Math.min(cpuUs, current.own));
		if (current.own >= SHORTEST_US) {
			longestWithGc = Math.max(longestWithGc, Math.min(cpuUs, current.own + current.gc));
		}
	});
	return { count, ownMs: longestOwn / 1000, withGcMs: longestWithGc / 1000 };
}

/** Returns whose code each node of the call tree is: the package's includes all that it calls. */
function kinds({ nodes }: Profile): Map<number, Kind> {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const found = new Map<number, Kind>();
	const visit = (id: number, isWithin: boolean) => {
		const { callFrame, children = [] } = byId.get(id)!;
		const isOwn = isWithin || callFrame.url.includes(`/${PACKAGE_NAME}/`);
		const isGc = callFrame.functionName === '(garbage collector)';
		found.set(id, isGc ? 'gc' : isOwn ? 'own' : 'other');
		for (const child of children) visit(child, isOwn);
	};
	visit(nodes[0].id, false);
	return found;
}
