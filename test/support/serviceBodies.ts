/**
 * Whole responses with everything that services of 2026 send, by the operation of the contract. The pages, people and
 * numbers in them are made up.
 */

const UUID = '019a4c2e-7b1d-7c3a-9f60-2b8e4d5a6c71';
const TIMES = { createdAt: '2026-08-11T07:30:00.000Z', expiresAt: '2026-08-12T07:30:00.000Z' };

/** A page as all operations that scrape send it. Keys that a site has twice are lists. */
const page = {
	markdown: '# Bird boxes\n\nBuilt from larch.',
	links: ['https://garden.example/boxes/large'],
	metadata: {
		title: ['Bird boxes', 'Garden shop'],
		description: 'Boxes for small birds',
		language: 'en',
		keywords: ['birds', 'larch'],
		robots: 'index,follow',
		viewport: ['width=device-width', 'initial-scale=1'],
		ogTitle: 'Bird boxes',
		'og:title': 'Bird boxes',
		ogLocaleAlternate: [],
		'article:published_time': '2026-05-04T10:00:00Z',
		publishedTime: '2026-05-04T10:00:00Z',
		'theme-color': '#335533',
		favicon: 'https://garden.example/favicon.ico',
		scrapeId: UUID,
		sourceURL: 'http://garden.example/boxes',
		url: 'https://garden.example/boxes',
		statusCode: 200,
		contentType: 'text/html; charset=utf-8',
		timezone: 'Europe/Berlin',
		proxyUsed: 'basic',
		cacheState: 'hit',
		cachedAt: '2026-08-10T22:15:00.000Z',
		indexId: UUID,
		creditsUsed: 1,
		concurrencyLimited: true,
		concurrencyQueueDurationMs: 412,
	},
};

/** The same page after Simplify. */
export const simplifiedPage = {
	url: 'https://garden.example/boxes',
	title: 'Bird boxes',
	description: 'Boxes for small birds',
	markdown: '# Bird boxes\n\nBuilt from larch.',
	links: ['https://garden.example/boxes/large'],
	cachedAt: '2026-08-10T22:15:00.000Z',
};

const webResult = {
	url: 'https://garden.example/boxes',
	title: 'Bird boxes',
	description: 'Boxes for small birds',
	position: 1,
};

const crawl = {
	success: true,
	status: 'completed',
	completed: 1,
	total: 1,
	creditsUsed: -1,
	...TIMES,
	completedAt: '2026-08-11T07:31:12.000Z',
	duration: 72,
	data: [page],
};

/** Responses with status 200, by operationId. */
export const bodies = {
	scrape: { success: true, scrape_id: UUID, data: page },
	search: { success: true, data: { web: [webResult] }, creditsUsed: 2, id: UUID },
	map: {
		success: true,
		id: UUID,
		links: [{ url: webResult.url, title: webResult.title, description: webResult.description }],
	},
	agentGet: {
		success: true,
		status: 'completed',
		data: { boxes: [{ name: 'Large', price: 39.5 }] },
		model: 'spark-2',
		effort: 'medium',
		threadId: UUID,
		threadTurn: 1,
		mode: 'extract',
		suggestions: [],
		expiresAt: TIMES.expiresAt,
		creditsUsed: 34,
	},
	extractGetV1: {
		success: true,
		data: { price: 39.5 },
		status: 'completed',
		expiresAt: TIMES.expiresAt,
		tokensUsed: 75,
		creditsUsed: 5,
		warnings: ['Extract goes into maintenance.'],
		replacement: '/v2/scrape',
	},
	extractStart: {
		success: true,
		data: { price: 39.5 },
		extractId: UUID,
		urlTrace: [],
		llmUsage: 0.0007,
		totalUrlsScraped: 1,
		sources: {},
		tokensBilled: 75,
		creditsBilled: 5,
	},
	crawlStatus: crawl,
	batchStatus: crawl,
	crawlStart: {
		success: true,
		id: UUID,
		url: `https://service.example/v2/crawl/${UUID}`,
		promptGeneratedOptions: { includePaths: ['^/boxes'], limit: 50 },
		finalCrawlerOptions: { includePaths: ['^/boxes'], limit: 20, sitemap: 'include' },
	},
	crawlListActive: {
		success: true,
		crawls: [
			{
				id: UUID,
				teamId: UUID,
				url: 'https://garden.example',
				created_at: TIMES.createdAt,
				options: {
					includePaths: [],
					excludePaths: ['^/old'],
					maxDiscoveryDepth: 3,
					limit: 20,
					crawlEntireDomain: false,
					sitemap: 'include',
					scrapeOptions: {
						formats: [{ type: 'markdown' }, { type: 'screenshot', fullPage: true }],
						parsers: [{ type: 'pdf' }],
						maxAge: 172_800_000,
					},
				},
			},
		],
	},
	crawlErrors: {
		errors: [
			{
				id: UUID,
				timestamp: '2026-08-11T07:31:00.000Z',
				url: 'https://garden.example/private',
				code: 'CRAWL_DENIAL',
				error: 'URL blocked by robots.txt',
			},
			{
				id: UUID,
				timestamp: '2026-08-11T07:31:01.000Z',
				url: 'https://garden.example/slow',
				code: 'SCRAPE_TIMEOUT',
				error: 'The page took too long',
			},
		],
		robotsBlocked: ['https://garden.example/private'],
	},
	usageHistorical: {
		success: true,
		periods: [
			{ startDate: '2026-08-01T00:00:00.000Z', endDate: null, apiKey: null, creditsUsed: 812 },
		],
	},
	usageActivity: {
		success: true,
		data: [
			{
				id: UUID,
				endpoint: 'crawl',
				api_version: 'v2',
				created_at: TIMES.createdAt,
				target: 'https://garden.example',
			},
		],
		cursor: null,
		has_more: false,
	},
	usageQueueStatus: {
		success: true,
		jobsInQueue: 3,
		activeJobsInQueue: 2,
		waitingJobsInQueue: 1,
		maxConcurrency: 50,
		mostRecentSuccess: null,
	},
};
