/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/** Figures in the prose of users' pages: what things cost, how long links live, how long n8n waits. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { PRICES, pagePrice } from '../../nodes/shared/fields/prices';

const ROOT = join(__dirname, '../..');
const PAGES = [
	...readdirSync(join(ROOT, 'docs'))
		.filter((file) => file.endsWith('.md'))
		.map((file) => `docs/${file}`),
	'README.md',
];

const proseOf = (page: string) =>
	readFileSync(join(ROOT, page), 'utf8')
		.replace(/<!-- generated[^]*?<!-- end -->/g, '')
		.replace(/\s+/g, ' ');

const { page, aiFormat, xPage, tenResults, judgment } = PRICES;
const thousands = (count: number) => String(count).replace(/(?=(\d{3})+$)\B/g, ',');
const jsonPage = page + aiFormat;

/** What pages say, with the figures that the code has; all credits in prose are among these. */
const HELD: Array<[page: string, ...said: string[]]> = [
	['docs/troubleshooting.md', 'Links expire after 24 hours'],
	[
		'docs/costs.md',
		`and ${xPage} credits for each`,
		`once for each ${xPage} credits that are left: ${Math.floor(500 / xPage)} with a budget of 500`,
	],
	[
		'docs/maintainers/credit-budget.md',
		`and ${xPage} credits for each`,
		`for each ${xPage} credits that are left: ${Math.floor(500 / xPage)} with a budget of 500`,
	],
	[
		'docs/page-trigger.md',
		`Each poll costs ${PRICES.map} credit`,
		`usually ${page} credit, ${jsonPage} for data`,
		`New Pages of a Site is ${PRICES.map} credit a poll`,
	],
	[
		'docs/scrape.md',
		`${jsonPage} credits: ${page}, and ${aiFormat} more for AI`,
		`usually ${page} credit`,
		`up to ${pagePrice({ proxy: 'enhanced' }).most} credits`,
		`costs ${page} credit per page`,
		`a PDF costs ${page} credit`,
		'2 credits per minute with code alone and 7 if it had any prompt',
	],
	[
		'docs/search-trigger.md',
		`usually ${tenResults} credits per 10 results`,
		`with Limit 10 and a poll every hour, ${24 * tenResults} credits`,
	],
	[
		'docs/monitor-trigger.md',
		`At each check ${page} credit per page, ${aiFormat} more with fields, ${judgment} for each judged change; a search ${tenResults} per 10 results`,
		`| 1 page | daily | ${30 * page} |`,
		`| 10 pages | hourly | ${thousands(24 * 30 * 10 * page)} |`,
		`| 10 pages, fields | daily | ${thousands(30 * 10 * jsonPage)} |`,
		`| a site, 25 pages | daily | ${30 * 25 * page} |`,
		`| a search, 10 results | hourly | ${thousands(24 * 30 * tenResults)} |`,
	],
	['docs/monitor.md', 'the first two need at least 1 credit'],
	['docs/extract.md', `${page + aiFormat} credits a page`],
	['docs/long-jobs.md', 'extractions for 6 hours', 'again after 1, 5 and 15 minutes'],
];

/** Text without the blanks that align a table. */
const plain = (text: string) => text.replace(/ *\| */g, ' | ');

it.each(HELD)('%s has the figures of the code', (file, ...said) => {
	const text = plain(proseOf(file));
	for (const one of said) expect(text).toContain(plain(one).trim());
});

it('no page names credits that nothing holds', () => {
	const free = PAGES.flatMap((file) => {
		const said = HELD.filter(([held]) => held === file).flatMap(([, ...texts]) => texts);
		const rest = said.reduce((text, one) => text.replaceAll(one, '…'), proseOf(file));
		return (rest.match(/.{0,40}\b\d[\d,]*( more)? credits?\b/g) ?? []).map(
			(one) => `${file}: ${one}`,
		);
	});
	expect(free).toEqual([]);
});
