import type { PRICES } from '../../nodes/shared/fields/prices';

/** What forms say without the contract's keywords saying it, by where it stands: a phrase that has to be there. */
export type Explained = Array<[where: RegExp, phrases: string[]]>;

/** Prices, as the contract has them. */
export const priceTexts = (price: Record<keyof typeof PRICES, number>): Explained => {
	const credits = (count: number) => `${count} credit${count === 1 ? '' : 's'}`;
	const more = (count: number) => `${count} more credit${count === 1 ? '' : 's'}`;
	const perTen = `${credits(price.tenResults)} per 10 results (rounded up, all sources together)`;
	const withFields = price.page + price.aiFormat;
	const onX = (more: number) =>
		`${credits(price.page + more)} per page, ${price.xPage + more} on X (Twitter)`;
	const thousands = (count: number) => String(count).replace(/(?=(\d{3})+$)\B/g, ',');
	const polled: Array<[mode: string, polls: number, period: string]> = [
		['everyMinute', 1440, 'day'],
		['everyHour', 24, 'day'],
		['everyDay', 1, 'day'],
		['everyWeek', 1, 'week'],
		['everyMonth', 1, 'month'],
	];
	const each = (one: number, polls: number, period: string) =>
		`${credits(one * polls).replace(/^\d+/, (count) => thousands(Number(count)))} a ${period}`;
	return [
		[/^Web Data Scrape = scrape$/, [`from ${credits(price.page)}`]],
		[/^Web Data Search = searchAndScrape$/, [`${more(price.page)} per scraped page`]],
		[
			/ → (?!.*scrapeOptions\.)(.*\.)?formats = product$/,
			[`${credits(price.page)} per page in all`],
		],
		[/^Web Data Scrape = map$/, [`${credits(price.map)} in all`]],
		[
			/: Scrape Page → url$/,
			[`${credits(price.page)}, ${price.xPage} on X`, 'a copy up to 2 days old'],
		],
		[
			/Monitor.*→ urls$/,
			[
				`${credits(price.page)} per page at each check, and ${price.judgment} more for a changed one`,
			],
		],
		[
			/Monitor.*→ maxPages$/,
			[`costs ${credits(price.page)} at each check, and ${price.judgment} more if it has changed`],
		],
		[
			/Monitor.*→ maxResults$/,
			[
				`${credits(price.tenResults)} per 10 results of each query at each check, and ${price.judgment} for each`,
			],
		],
		[/Monitor.*→ schemaFrom$/, [`${more(price.aiFormat)} per page`]],
		[/: List Pages of Site → siteUrl$/, [`${credits(price.map)} in all, up to 5000 pages`]],
		[/Scrape: .* → urls$/, [`Each page costs ${credits(price.page)}, ${price.xPage} on X`]],
		[/Crawl: .* → maxPages$/, [`Each page costs ${credits(price.page)};`]],
		[
			/ → (?!.*scrapeOptions\.)(.*\.)?formats = (json|question|highlights|audio|video)$/,
			[`; ${more(price.aiFormat)} per page`],
		],
		[/modes = json$/, [`; ${more(price.aiFormat)} per page`]],
		[/\.parsers$/, [`By default, PDFs are parsed, at ${credits(price.page)} per page`]],
		[
			/\.parsers\.parse$/,
			[`markdown (${credits(price.page)} per page)`, `at a flat ${credits(price.page)}.`],
		],
		[/\.parsers\.maxPages$/, [`each costs ${credits(price.page)}.`]],
		[/redactPII$/, [`${more(price.redaction)} per page, in a PDF for each`]],
		[/zeroDataRetention$/, [`${more(price.zeroDataRetention)} per page`]],
		[
			/lockdown$/,
			[`${credits(price.lockdownPage)} per page found, ${price.page} if there is none`],
		],
		[/proxy = auto$/, [`up to ${credits(price.enhancedPage)}; newer services bill ${price.page}`]],
		[
			/proxy = enhanced$/,
			[`up to ${credits(price.enhancedPage)} per request, but newer services bill ${price.page}.`],
		],
		[/threatProtection\.mode = normal$/, [`${more(price.threatCheck)} per URL checked`]],
		[
			/→ instructions$/,
			[
				`Costs ${credits(price.promptMinute)} per browser minute with a prompt, ${price.codeMinute} with code alone`,
			],
		],
		[/binaryPropertyName$/, [`A PDF costs ${credits(price.page)} per page`, 'at most 50 MB']],
		[/olderWayNotice$/, [`Fields (JSON): ${credits(withFields)} a page`]],
		[/→ options\.enterprise$/, [`costs ${more(price.enterprisePage)}.`]],
		[/enterprise = anon$/, [`${credits(price.tenResults)} per 10 results`]],
		[/enterprise = zdr$/, [`${credits(price.tenResultsZdr)} per 10 results`]],
		[/Search: .* → limit$/, [perTen]],
		[/Search Trigger → limit$/, [`${perTen}, at each poll`]],
		[/Search Trigger → cost_/, [`usually billed at ${perTen}.`]],
		[
			/Search Trigger → cost_(everyX|custom|several)$/,
			[
				`Searches a day = 1,440 ÷ minutes between polls: every 15 minutes with one source and Limit 10 is 96 searches, ${credits(96 * price.tenResults)} a day`,
			],
		],
		[/Page Trigger → cost_/, [`usually billed at ${onX(0)}.`]],
		[/Page Trigger → dataCost_/, [`usually billed at ${onX(price.aiFormat)}.`]],
		[
			/Page Trigger → dataCost_(everyX|custom|several)$/,
			[
				`Polls a day = 1,440 ÷ minutes between polls: every 15 minutes is ${credits(96 * withFields)} a day per page`,
			],
		],
		[
			/Page Trigger → cost_(everyX|custom|several)$/,
			[
				`Polls a day = 1,440 ÷ minutes between polls: every 15 minutes is ${credits(96 * price.page)} a day per page`,
			],
		],
		[
			/→ siteCost_/,
			[
				`lists the site for ${credits(price.map)}. With Output Pages: ${price.page} more per new page.`,
			],
		],
		[
			/→ siteCost_(everyX|custom|several)$/,
			[
				`Polls a day = 1,440 ÷ minutes between polls: every 15 minutes is ${credits(96 * price.map)} a day`,
			],
		],
		[
			/Page Trigger → output = pages$/,
			[`usually ${credits(price.page)} for each new page, ${price.xPage} on X`],
		],
		...polled.flatMap(([mode, polls, period]): Explained => [
			[
				new RegExp(`Search Trigger → cost_${mode}$`),
				[10, 50, 100].map(
					(limit) => `${each(price.tenResults * (limit / 10), polls, period)} with Limit ${limit}`,
				),
			],
			[new RegExp(`Page Trigger → cost_${mode}$`), [`${each(price.page, polls, period)} per page`]],
			[new RegExp(`→ dataCost_${mode}$`), [`${each(withFields, polls, period)} per page`]],
			[new RegExp(`→ siteCost_${mode}$`), [`${each(price.map, polls, period)}, new pages aside`]],
		]),
	];
};

/** What isn't in the contract, each with the reason why it is true. */
export const ownTexts: Explained = [
	// The contract says how long links last in words.
	[/ → (?!.*scrapeOptions\.)(.*\.)?formats = screenshot$/, ['expires after 24 hours']],
	[/ → (.*\.)?formats = (audio|video)$/, ['expires after 1 hour']],
	[
		/downloadFiles$/,
		['Screenshot links expire after 24 hours, audio and video links after 1 hour'],
	],
	// Responses of a job are 10 MB at most, in the contract's words; files of pages are as large.
	[/pagesAs = files$/, ['files of up to 10 MB']],
	[/options\.ifPartFails$/, ['chunks of 10 MB']],
	[/includePages$/, ['up to 10 MB']],
	// The list of jobs goes back a day.
	[/→ (jobId|batchId)$/, ['jobs of the last 24 hours']],
	[/^Web Data Usage = listActivity$/, ['jobs of the last 24 hours']],
	// The defaults of the node's own settings.
	[
		/maxTextLength$/,
		[
			'0 never cuts',
			'such as 2000 in Notion or 50000 in a cell of Google Sheets',
			'By default, only tools of an AI agent cut texts, at 20000',
		],
	],
	[/^Web Data Agent$/, ['maxCredits (default 500)']],
	[/^Web Data Crawl$/, ['maxPages (default 100)']],
	[/^Web Data Search$/, ['limit (default 5)']],
	// A date that the service has announced.
	[/^Web Data Extract$/, ['public service ends it on December 10, 2026']],
	[/^Web Data (Agent|Crawl|Search|Scrape)$/, ['options.creditBudget (500 once added)']],
	[/maxResponseLength$/, ['At least 1000', 'The default is 60000']],
	[/maxConcurrent$/, ['Up to 500', 'share about 500']],
	[/maxWait$/, ['(Seconds)', 'Up to 86400']],
	[/maxWaitMinutes$/, ['(Minutes)', 'Up to 1440']],
	[/pagesAs = items$/, ['(default)']],
	[/ifRunning = soFar$/, ['(default)']],
	[/ifPartFails = fail$|Crawl: (?!List).*apiVersion = v2$/, ['This is the default']],
	[/Page Trigger → .*[oO]ptions\.timeout$/, ['30 unless set']],
	[/Trigger → .*failuresNeeded$/, ['Up to 100']],
	[/Page Trigger → urls$/, ['At most 50']],
	// Fields that the form always sends, with this first.
	[/ → (?!.*scrapeOptions\.)(.*\.)?formats = markdown$/, ['(default)']],
	// Limits that running services have.
	[/viewport\.width$/, ['Up to 7680']],
	[/viewport\.height$/, ['Up to 4320']],
	// A year: enough for any copy, and too few for milliseconds.
	[/\.m(ax|in)Age$/, ['Up to 8760']],
	[/waitFor$/, ['Up to 60', 'At most half of Timeout']],
	[/\.actions$/, ['at most 50, with waits of 60 seconds in all']],
	[/\.actions\.seconds$/, ['(Seconds)', 'Up to 60', 'At most 60']],
	[/Extract: .* → urls$/, ['at most 10']],
	[/→ endNotice$/, ['December 10, 2026, 15:00 UTC', '5 credits a page']],
	[/(manners|crawlOptions)\.delay$/, ['0.1 to 60']],
	[/Monitor.*→ schedule = text$/, ['daily at 9:00']],
	[
		/Monitor.*→ (scheduleText|newSchedule)$/,
		['every 30 minutes', 'every 2 hours', '5 minutes apart'],
	],
	[/Monitor.*→ (cron|options\.newCron)$/, ['5 minutes apart']],
	[/File → \w+\.timeout$/, ['Up to 300']],
	// What the service does by itself, in words.
	[/minAge$/, ['0 accepts any']],
	[/alwaysFresh$/, ['the same as Max Age 0']],
	[/Results → .*alwaysFresh$/, ['copies up to 3 days old']],
	[/Results → .*cacheOptions\.maxAge$/, ['(2 days)', 'copies up to 3 days old']],
	[
		/(Crawl:|Pages and|Batch|Scrape:|Many).*\.maxAge$/,
		['0 always fetches the page afresh', '(2 days)'],
	],
	[/ignoreCache$/, ['may be 7 days old']],
	[/languages$/, ['By default, the language of the country']],
	[/[lL]ocation\.country$|options\.country$/, ['a two-letter code']],
	[/entities$/, ['By default, all of these']],
	[/webhook\.events$/, ['By default, all of them']],
	[/→ options\.threadId$/, ['By default, a new thread begins']],
	[/→ options\.effort$/, ['By default, the service chooses']],
	[/exchange\.toolkits$/, ['By default, the agent chooses']],
	[/exchange\.enabled$/, ['default is on where your team has accepted terms']],
	[/→ options\.model$/, ['newer services use spark-1-pro']],
	[/model = spark-1-mini$/, ['60% cheaper than Pro']],
	[/maxDiscoveryDepth$/, ['count as 0: with 1 or more']],
	[/failedPages$/, ['status 400 or above']],
	[/failedPages = auto$/, ['(default)']],
	// Numbers that are no statements.
	[/^Web Data (Search|Scrape|Crawl|Agent|Extract)$/, ['20 items per batch, 1 ms apart']],
	[/→ (options\.)?queryOperators$/, ['its 500 characters']],
	[/months = range$/, ['between two dates']],
	[/oneCrawlPerExecution$/, ['between two polls']],
	[/Site → options\.ignoreQueryParameters$/, ['/shop?item=7']],
];
