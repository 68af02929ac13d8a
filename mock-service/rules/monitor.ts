import type { Entry, Typed } from '../entry';
import { cronOf } from '../schedule';
import { domainRules } from './domains';
import { pageRules } from './page';
import { patternRules } from './patterns';
import { broken, type Broken, type Rule } from './rule';

/** Returns the rules that the settings of a monitor break; those that a change has to meet too, without `isNew`. */
export function monitorRules(body: Entry, isNew: boolean): Broken[] {
	const { schedule, targets = [], goal, judgeEnabled } = body as Entry & { targets?: Typed[] };
	const { cron, text } = (schedule ?? { cron: '*' }) as Record<string, string | undefined>;
	const isSearch = targets.some(({ type }) => type === 'search') && judgeEnabled !== false;
	const hasGoal = typeof goal === 'string' ? goal.trim() !== '' : goal === undefined && !isNew;
	return [
		...broken(
			[Object.keys(body).length === 0, [], 'Update body cannot be empty'],
			[!cron === !text, ['schedule'], 'Schedule must include either cron or text'],
			[
				text !== undefined && cronOf(text) === undefined,
				['schedule', 'text'],
				"Unsupported schedule text. Try phrases like 'every 30 minutes', 'hourly', or 'daily at 9:00'",
			],
			[isSearch && !hasGoal, ['goal'], 'A search target requires a non-empty goal'],
		),
		...targets.flatMap((target, index) =>
			targetRules(target).map((rule) => ({ ...rule, path: ['targets', index, ...rule.path] })),
		),
	];
}

function targetRules(target: Typed): Broken[] {
	const { url, urls = [], scrapeOptions = {}, crawlOptions = {} } = target as Record<string, Entry>;
	return [
		...domainRules(target),
		...broken(
			[
				Boolean(target.includeDomains && target.excludeDomains),
				['excludeDomains'],
				'includeDomains and excludeDomains are mutually exclusive',
			],
			[url !== undefined && !URL.canParse(String(url)), ['url'], 'Invalid URL'],
			...(urls as string[]).map((one, index): Rule => [
				!URL.canParse(one),
				['urls', index],
				'Invalid URL',
			]),
		),
		...pageRules(scrapeOptions, ['scrapeOptions']),
		...patternRules(crawlOptions).map((rule) => ({
			...rule,
			path: ['crawlOptions', ...rule.path],
		})),
	];
}
