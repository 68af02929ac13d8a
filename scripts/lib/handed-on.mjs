import util from 'node:util';
import { Problem } from './say.mjs';

/**
 * Throws a Problem with the right command if npm took options for itself: without `--`, npm doesn't pass them on, but
 * sets a variable with the name of each. A value after a space comes as an argument of its own.
 * @param {Record<string, string | undefined>} env @param {string[]} args @param {Record<string, { type: string }>}
 * options those of the script, as `parseArgs` takes them
 */
export function checkHandedOn(env, args, options) {
	const kept = Object.keys(options).filter((name) => keptOf(env, name) !== undefined);
	if (kept.length === 0) return;
	const { positionals, tokens } = util.parseArgs({ args, options, strict: false, tokens: true });
	const passed = tokens.filter(({ kind }) => kind === 'option');
	const given = kept.map((name) => {
		if (options[name].type === 'boolean') return written(name);
		const value = keptOf(env, name);
		return written(name, /^(true|)$/.test(value) ? positionals.shift() : value, true);
	});
	const others = passed.map(({ name, value }) => written(name, value, false));
	throw new Problem(
		`npm kept --${kept.join(' and --')} for itself. Put -- before options: npm start -- ${[...given, ...others].join(' ')}`,
	);
}

const keptOf = (env, name) => env[`npm_config_${name.replace('-', '_')}`];

/** Returns an option as it is typed. A key isn't shown, and a missing value has a placeholder. */
function written(name, value, takesValue) {
	const shown = name === 'api-key' ? undefined : value;
	if (shown !== undefined) return `--${name} ${shown}`;
	return takesValue || value !== undefined ? `--${name} <${name}>` : `--${name}`;
}

/** Returns why `parseArgs` refused the arguments, without its advice for other programs. */
export function whyNot({ message }) {
	const name = /^Option '--([\w-]+).*argument (missing|is ambiguous)/.exec(message)?.[1];
	return name === undefined ? message.split(/\. |\n/)[0] : `--${name} needs a value`;
}
