/** A problem that the user can fix: its message is shown without a stack trace. */
export class Problem extends Error {}

/** Returns a duration in readable form: `75_000` → `1 min 15 s`, `4_200` → `4.2 s`. */
export function duration(ms) {
	if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export function say(text = '') {
	process.stdout.write(`${text}\n`);
}

/** Prints why a command ended; without a stack trace if the user can fix it, as with a full disk. */
export function sayWhy(error) {
	say(`✖ ${error instanceof Problem || error.syscall ? error.message : error.stack}`);
}

const TICK_MS = 20_000;

/** Runs `work` between a line that names it and a line with its result and duration; says that it still runs. */
export async function step(title, work) {
	say(`▸ ${title}`);
	const start = Date.now();
	const took = () => duration(Date.now() - start);
	const timer = setInterval(() => say(`  … ${took()}`), TICK_MS).unref();
	try {
		const result = await work();
		say(`  ${typeof result === 'string' ? `${result}, ` : ''}${took()}`);
		return result;
	} finally {
		clearInterval(timer);
	}
}

const clip = (value, width) => {
	const text = String(value ?? '').replace(/\s+/g, ' ');
	return text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width);
};

/**
 * Returns records as the lines of an aligned table.
 * @param {Array<Record<string, unknown>>} records
 * @param {Record<string, number>} columns key of the record → width in characters
 */
export function table(records, columns) {
	const names = Object.keys(columns);
	const line = (cell) => `  ${names.map((name) => clip(cell(name), columns[name])).join('  ')}`;
	return [line((name) => name), ...records.map((record) => line((name) => record[name]))]
		.map((text) => text.trimEnd())
		.join('\n');
}

/** Columns of a search's results, for a terminal of 80 columns. */
export const RESULT_COLUMNS = { source: 6, title: 28, url: 40 };
