import type { ResultShape } from './shapes';

/** Shape of a job, with its result once there is one. */
export const jobShape: ResultShape = [
	{ name: 'id', label: 'ID' },
	{ name: 'status', label: 'Status' },
	{ name: 'data', label: 'Data', isGoal: true },
	{ name: 'message', label: 'Message', isGoal: true },
	// For an agent task: the thread to reply to, and the approval that the agent asks for.
	{ name: 'threadId', label: 'Thread ID' },
	{ name: 'pendingApproval', label: 'Pending Approval', isGoal: true },
	{ name: 'suggestions', label: 'Suggestions' },
	{ name: 'partial', label: 'Partial Result' },
	{ name: 'partialSchemaValid', label: 'Partial Result Fits the Schema' },
	{ name: 'sources', label: 'Sources' },
	{ name: 'completed', label: 'Completed' },
	{ name: 'total', label: 'Total' },
	{ name: 'creditsUsed', label: 'Credits Used', from: ['creditsUsed', 'credits_used'] },
	{ name: 'tokensUsed', label: 'Tokens Used' },
	{ name: 'reason', label: 'Reason', from: ['error', 'stopReason'], isNote: true },
	{ name: 'invalidURLs', label: 'Invalid URLs' },
	{ name: 'warning', label: 'Warning', from: ['warning', 'warnings'], isNote: true },
	{ name: 'expiresAt', label: 'Expires At' },
	{ name: 'next', label: 'Next' },
	{ name: 'model', label: 'Model', isExtra: true },
	{ name: 'effort', label: 'Effort', isExtra: true },
	{ name: 'exchange', label: 'Paid Data', isExtra: true },
	{ name: 'createdAt', label: 'Created At', isExtra: true },
	{ name: 'completedAt', label: 'Completed At', isExtra: true },
];

/** What nobody asks of a job that has ended. */
const DETAILS = ['id', 'status', 'threadId', 'creditsUsed', 'tokensUsed', 'expiresAt'];

/** Shape of the result of a job that was waited for: the fields of its data stand beside the others. */
export const jobResultShape: ResultShape = jobShape.map((field) => {
	if (field.name === 'data') return { ...field, isColumns: true };
	return DETAILS.includes(field.name) ? { ...field, isDetail: true } : field;
});

export const interactionShape: ResultShape = [
	{ name: 'scrapeId', label: 'Scrape ID' },
	// For a prompt, the other two merely repeat the page.
	{ name: 'output', label: 'Output', from: ['output', 'result', 'stdout'], isGoal: true },
	{ name: 'stderr', label: 'Error Output' },
	{ name: 'truncated', label: 'Truncated' },
	{ name: 'warning', label: 'Warning', from: ['warning', 'warnings'] },
	{ name: 'liveViewUrl', label: 'Live View URL' },
	{ name: 'interactiveLiveViewUrl', label: 'Interactive Live View URL' },
	{ name: 'stdout', label: 'Printed Text', isExtra: true },
	{ name: 'result', label: 'Result', isExtra: true },
	{ name: 'cdpUrl', label: 'CDP URL', isExtra: true },
];

export const activeCrawlShape: ResultShape = [
	{ name: 'id', label: 'ID' },
	{ name: 'url', label: 'URL' },
	{ name: 'createdAt', label: 'Created At', from: ['created_at', 'createdAt'] },
	{ name: 'limit', label: 'Max Pages', from: ['options.limit'] },
	{ name: 'formats', label: 'Formats', from: ['options.scrapeOptions.formats'] },
	{ name: 'includePaths', label: 'Include Paths', from: ['options.includePaths'] },
	{ name: 'excludePaths', label: 'Exclude Paths', from: ['options.excludePaths'] },
	{ name: 'maxDepth', label: 'Max Depth', from: ['options.maxDiscoveryDepth'] },
	{ name: 'sitemap', label: 'Sitemap', from: ['options.sitemap'] },
	{ name: 'warning', label: 'Warning' },
];
