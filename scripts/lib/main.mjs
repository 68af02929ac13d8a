import { ensureDependencies } from './dependencies.mjs';
import { endPrograms, endProgramsWithThis } from './programs.mjs';
import { checkNode } from './machine.mjs';
import { say, sayWhy } from './say.mjs';

/**
 * Does the work of a command once this Node is new enough and what the project needs is installed. Programs that it
 * starts end with it. Prints why it failed.
 * @param {() => Promise<void>} [work]
 */
export async function main(work = async () => {}) {
	try {
		checkNode();
		endProgramsWithThis();
		await ensureDependencies();
		await work();
	} catch (error) {
		sayWhy(error);
		process.exitCode = 1;
		await endPrograms();
	}
}

/**
 * Prints how many tests passed and failed, in the form that `.ci/run` adds up, and makes the command fail if one did.
 * @param {Array<{ passed: number; failed: number }>} counts
 */
export function sayCounts(counts) {
	const sum = (key) => counts.reduce((total, one) => total + one[key], 0);
	say(`\n${sum('passed')} passed, ${sum('failed')} failed`);
	process.exitCode = sum('failed') === 0 ? 0 : 1;
}
