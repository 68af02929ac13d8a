/** What a form says in words of its own, which no contract has: what choices are called, do and cost, and where numbers begin. */
import { PRICES } from '../../nodes/shared/fields/prices';
import { withValues } from '../../nodes/shared/form/values';
import { type Statement, statements } from './statements';

const all = statements();
const choices = all.filter(({ value }) => value !== undefined);
/** E.g. `proxy = auto`: the control's own name and the choice. */
const shortOf = ({ where }: Statement) => where.split('→').at(-1)!.trim().split('.').at(-1)!;
const unique = (texts: string[]) => [...new Set(texts)].sort();

/** Names of choices that say something else than their values, by control. */
const NAMES: Record<string, Record<string, string>> = {
	published: {
		'qdr:h': 'Past Hour',
		'qdr:d': 'Past Day',
		'qdr:w': 'Past Week',
		'qdr:m': 'Past Month',
		'qdr:y': 'Past Year',
		dates: 'Custom Range',
	},
	sortBy: { date: 'Newest First' },
	outputFields: {
		rawBase64: 'File as Base64',
		numPages: 'PDF Pages Parsed',
		totalPages: 'PDF Pages in All',
		tbs: 'Time Filter',
		partialSchemaValid: 'Partial Result Fits the Schema',
		exchange: 'Paid Data',
		limit: 'Max Pages',
		stderr: 'Error Output',
		stdout: 'Printed Text',
	},
	fieldsToReturn: {
		rawBase64: 'File as Base64',
		numPages: 'PDF Pages Parsed',
		totalPages: 'PDF Pages in All',
	},
	mode: { 'manual-only': 'Lists Only' },
	failurePolicy: { open: 'Allow', closed: 'Block' },
	enterprise: { zdr: 'End-to-End Zero Data Retention' },
	type: {
		string: 'Text',
		integer: 'Whole Number',
		boolean: 'True or False',
		'string[]': 'List of Texts',
		executeJavascript: 'Run JavaScript',
		waitForElement: 'Wait for an Element',
	},
	entities: { PERSON: 'People' },
	replaceStyle: { mask: 'Asterisks', remove: 'Nothing' },
	ifRunning: { soFar: 'Return Available Pages' },
	apiVersion: { v1: 'V1 (Older)', v2: 'V2 (Current)' },
	months: { current: 'This Month' },
	language: { node: 'JavaScript' },
	firstPoll: { baseline: 'Only Remember Results' },
};

it('a choice is called as its value, or as listed here', () => {
	const plain = (text: string) =>
		text
			.toLowerCase()
			.replace(/[^\p{L}\d]/gu, '')
			.replace(/s$/, '');
	const wrong = choices.flatMap((choice) => {
		const [name, value] = [plain(choice.name), plain(String(choice.value))];
		const control = shortOf(choice).split(' = ')[0];
		const own = NAMES[control]?.[String(choice.value)];
		if (own !== undefined) return own === choice.name ? [] : [`${choice.where}: ${choice.name}`];
		return name.includes(value) || value.includes(name) ? [] : [`${choice.where}: ${choice.name}`];
	});
	expect(unique(wrong)).toEqual([]);
});

/** What the description of a choice must say: what it costs, how fast or thorough it is, what it includes. */
const MEANINGS: Array<[choice: RegExp, ...said: RegExp[]]> = [
	[/^output = simplified$/, /most useful/],
	[/^output = raw$/, /All fields/],
	[/^categories = developer$/, /cannot be combined/],
	[/threatProtection\.mode = normal$/, new RegExp(`${PRICES.threatCheck} more credits per URL`)],
	[/threatProtection\.mode = (manual-only|zscaler)$/, /no extra cost/],
	[/^enterprise = anon$/, new RegExp(`^${PRICES.tenResults} credits per 10`)],
	[/^enterprise = zdr$/, new RegExp(`^${PRICES.tenResultsZdr} credits per 10`)],
	[/^formats = rawHtml$/, /as the site sent it/],
	[/^formats = html$/, /Cleaned-up/],
	[/^formats = screenshot$/, /expires after 24 hours|visible part/],
	[/^formats = (audio|video)$/, /expires after 1 hour/],
	[/parsers\.mode = auto$/, /text, then OCR where there is none/],
	[/parsers\.mode = fast$/, /text only/],
	[/parsers\.mode = ocr$/, /OCR on every page/],
	[/redactionOptions\.mode = accurate$/, /AI only; few false alarms/],
	[/redactionOptions\.mode = aggressive$/, /AI and rules; misses the least/],
	[/redactionOptions\.mode = fast$/, /Rules only/],
	[/^type = pdf$/, /actions\.pdfs/],
	[/^type = screenshot$/, /actions\.screenshots/],
	[/^proxy = auto$/, /Basic first, then Enhanced, which costs up to 5/],
	[/^proxy = basic$/, /little bot protection; regular cost/],
	[/^proxy = enhanced$/, /strong bot protection; up to 5 credits/],
	[/^failedPages = items$/, /Each with its pageError/],
	[/^failedPages = errors$/, /go to the error branch/],
	[/^model = spark-1-mini$/, /cheaper than Pro/],
	[/^model = spark-1-pro$/, /More accurate.*costs more/],
	[/^model = spark-2$/, /Cheaper and faster than both/],
	[/^effort = low$/, /Fastest and cheapest/],
	[/^effort = high$/, /hard tasks/],
	[/^onTermsRequired = skip$/, /without this provider; this is the default/],
	[/^onTermsRequired = ask$/, /ends with pendingApproval/],
	[/^decision = approve$/, /Costs the credits/],
	[/^decision = always$/, /without asking/],
	[/^formats = attributes$/, /without AI/],
	[/^formats = changeTracking$/, /needs Markdown/i],
	[/^modes = git-diff$/, /Changed lines/],
	[/^modes = json$/, /Changed fields/],
	[/^sitemap = include$/, /sitemap, and|sitemap and linked/],
	[/^sitemap = only$/, /^Only .*in the sitemap$/],
	[/^sitemap = skip$/, /^Only .*(linked pages|earlier crawls)$/],
	[/^pagesAs = items$/, /this is the default/],
	[/^ifPartFails = fail$/, /this is the default/i],
	[/^ifPartFails = return$/, /warning that says what is missing/],
	[/^ifRunning = soFar$/, /Without waiting/],
	[/^instructions = prompt$/, /AI model reads/],
	[/^instructions = code$/, /no AI model/],
	[/^language = node$/, /this is the default/],
	[/^language = bash$/, /agent-browser/],
	[/^oneJobFor = all$/, /Each item gets its own pages/],
	[/Crawl Trigger → events = completed$/, /has finished/],
	[/Crawl Trigger → events = failed$/, /has failed/],
	[/Crawl Trigger → events = other$/, /another way, e\.g\. it was cancelled/],
	[/Page Trigger → events = changed$/, /differs from its last/],
	[/Page Trigger → events = failed$/, /can no longer be read/],
	[/^triggerOn = new$/, /no earlier poll/],
	[/^triggerOn = changed$/, /has changed/],
	[/^firstPoll = baseline$/, /only with results that come later/],
	[/^firstPoll = emit$/, /right away/],
	[/Crawl Trigger → watch = any$/, /Every crawl/],
	[/Page Trigger → watch = content$/, /without headers/],
	[/Page Trigger → watch = fields$/, /costs more/],
	[/Page Trigger → watch = site$/, /did not have before/],
	[/Page Trigger → output = pages$/, /1 credit for each new page, 30 on X/],
];

it.each(MEANINGS)('the choice %p says what it does', (choice, ...said) => {
	const found = choices.filter((one) => choice.test(one.where) || choice.test(shortOf(one)));
	expect(found.length).toBeGreaterThan(0);
	for (const one of found.filter(({ texts }) => texts.length > 1)) {
		for (const pattern of said) expect(one.texts.slice(1).join(' ')).toMatch(pattern);
	}
});

/** What settings say, beside what the contract holds. */
const SETTINGS: Array<[control: RegExp, said: RegExp]> = [
	[/→ \w*\.?minAge$/, /at least this many milliseconds old.*the item fails and nothing is scraped/],
	[/Agent: (Start|Run).*→ urls$/, /searches the whole web/],
	[/→ instructions$/, /at least one minute\..*costs credits, until Stop Interaction/],
	[/Agent: .*→ (options\.)?maxCredits$/, /above that, it always counts as a paid request/],
	[/Agent: .*→ options\.effort$/, /takes longer and costs more/],
	[/Agent: .*→ options\.exchange$/, /each call costs more credits/],
	[/Search: .*→ limit$/, /from each source/],
	[/Search: .*→ query$/, /including the Query Operators/],
	[/Crawl: .*→ maxPages$/, /some formats cost more/],
	[/Extract: .*→ endNotice$/, /December 10, 2026/],
	[/Page Trigger → cost_/, /scrapes every page afresh/],
	[/^Web Data Scrape = getScrape$/, /at no cost/],
	[/^Web Data Scrape = stopInteraction$/, /stop the charges/],
	[/^Web Data Agent = cancel$/, /may still spend credits/],
	[/^Web Data Search = searchAndScrape$/, /each scraped page costs credits/],
	[/^Web Data Usage$/, /Costs nothing/],
	[/\.maxAge$/, /copy younger than this many milliseconds/],
	[/Site → options\.limit$/, /also count, but are left out/],
	[/\.maxConcurrency$/, /Maximum number of pages/],
	[/\.crawlEntireDomain$/, /whole site, not only pages below the start URL/],
	[/Page Trigger → ignoreLines$/, /; not case-sensitive/],
	[/Page Trigger → leastChange$/, /\(Characters\)/],
	[/\.maxTextLength$/, /\(Characters\)/],
	[/\.failuresNeeded$/, /\(Polls\)/],
];

it.each(SETTINGS)('the control %p is there', (control, said) => {
	const found = all.filter((one) => one.value === undefined && control.test(one.where));
	expect(found.length).toBeGreaterThan(0);
	for (const one of found) expect(one.texts.join(' ')).toMatch(said);
});

/** Where the numbers of forms begin, by the control's name; more than one where forms differ. */
const NUMBERS: Record<string, number[]> = {
	maxPages: [100],
	limit: [5, 10, 50, 100000],
	timeout: [60_000, 30_000, 30],
	riskScoreThreshold: [75],
	creditBudget: [500],
	maxTextLength: [20_000],
	maxResponseLength: [60_000],
	maxConcurrent: [500],
	maxWait: [300],
	quality: [80],
	width: [1280],
	height: [800],
	milliseconds: [1000],
	scale: [1],
	waitFor: [0],
	maxAge: [172_800_000, 0],
	minAge: [1],
	maxCredits: [500],
	maxWaitMinutes: [30],
	maxCalls: [5],
	maxDiscoveryDepth: [2],
	delay: [1],
	maxConcurrency: [5],
	leastChange: [1],
	failuresNeeded: [2],
	maxKeptText: [20_000],
};

it('numbers begin where a careful person would begin', () => {
	const found: Record<string, number[]> = {};
	for (const one of all) {
		if (one.field?.type !== 'number' || one.value !== undefined) continue;
		(found[one.field.name] ??= []).push(one.field.default as number);
	}
	const sorted = (numbers: number[]) => [...new Set(numbers)].sort((a, b) => a - b);
	const sortedAll = (of: Record<string, number[]>) =>
		Object.fromEntries(Object.entries(of).map(([name, numbers]) => [name, sorted(numbers)]));
	expect(sortedAll(found)).toEqual(sortedAll(NUMBERS));
});

/** What is chosen where a choice begins, by the control's name; more than one where forms differ. Others begin empty. */
const CHOSEN: Record<string, unknown[]> = {
	sources: [['web']],
	published: ['any', 'qdr:w'],
	sortBy: ['relevance'],
	output: ['simplified', 'status', 'addresses'],
	country: ['US'],
	mode: ['normal', 'auto', 'accurate', 'chat'],
	failurePolicy: ['closed'],
	formats: [['markdown']],
	schemaFrom: ['fields', 'none'],
	type: ['string', 'click'],
	replaceStyle: ['tag'],
	direction: ['down'],
	format: ['Letter'],
	proxy: ['auto'],
	failedPages: ['auto'],
	model: ['spark-1-mini'],
	effort: ['medium'],
	onTermsRequired: ['ask'],
	decision: ['decline'],
	events: [
		['completed', 'failed'],
		['changed', 'failed'],
	],
	from: ['fields'],
	sitemap: ['include'],
	pagesAs: ['files'],
	ifPartFails: ['return'],
	ifRunning: ['wait'],
	apiVersion: ['v1', 'v2'],
	groupBy: ['month'],
	months: ['all'],
	endpoint: ['crawl'],
	instructions: ['prompt'],
	language: ['node'],
	oneJobFor: ['all'],
	watch: ['any', 'content'],
	triggerOn: ['new'],
	firstPoll: ['baseline'],
};

/** Switches that begin on, and those that do in some forms; all others begin off. */
const ON =
	'simplify includeSearchInfo safe splitIntoItems onlyMainContent onlyCleanContent parse pages blocks pageMarkers blockAds removeBase64Images redactPII saveChanges alwaysFresh lockdown storeInCache downloadFiles strictConstrainToURLs enabled requireApproval deduplicateSimilarURLs ignoreRobotsTxt includePages parsePDF includeSubdomains ignoreCache ignoreTracking';
const ON_IN_SOME =
	'ignoreInvalidURLs skipTlsVerification ignoreQueryParameters zeroDataRetention returnAll';

/** Returns what the controls of some types begin with, by their names. */
function beginnings(...types: string[]): Record<string, unknown[]> {
	const found: Record<string, unknown[]> = {};
	for (const { field, value } of all) {
		if (field === undefined || value !== undefined || !types.includes(field.type)) continue;
		const of = (found[field.name] ??= []);
		if (!of.some((one) => JSON.stringify(one) === JSON.stringify(field.default)))
			of.push(field.default);
	}
	return found;
}

it('choices begin where a careful person would begin', () => {
	const filled = (of: Record<string, unknown[]>) =>
		Object.fromEntries(
			Object.entries(of).flatMap(([name, values]) => {
				const chosen = values.filter((one) => String(one) !== '');
				return chosen.length > 0 ? [[name, chosen.map((one) => JSON.stringify(one)).sort()]] : [];
			}),
		);
	expect(filled(beginnings('options', 'multiOptions'))).toEqual(filled(CHOSEN));
});

it.each([
	['on', [true], `${ON} ${ON_IN_SOME}`],
	['both on and off', [true, false], ON_IN_SOME],
])('switches that begin %s are those of the list', (_how, values, names) => {
	const switches = beginnings('boolean');
	const found = Object.keys(switches).filter((name) =>
		values.every((one) => switches[name].includes(one)),
	);
	expect(found.sort()).toEqual(names.split(' ').sort());
});

it.each([
	['past hour', 'qdr:h'],
	['last 60 minutes', 'qdr:h'],
	['today', 'qdr:d'],
	['past 24 hours', 'qdr:d'],
	['this week', 'qdr:w'],
	['in the last 4 weeks', 'qdr:m'],
	['This month', 'qdr:m'],
	['last 12 months', 'qdr:y'],
	['last week', 'qdr:w'],
	['past 7 days', 'qdr:w'],
	['last 30 days', 'qdr:m'],
	['past year', 'qdr:y'],
	['any time', 'any'],
])('the period %p means %s', (words, value) => {
	const { field } = all.find(({ where }) => /Search Web → published$/.test(where))!;
	expect(withValues(field, words)).toBe(value);
});
