/** Host and name of each website. */
export const SITES = [
	['fieldnotes.example', 'Field Notes'],
	['docs.northwind.example', 'Northwind Docs'],
	['thedailyledger.example', 'The Daily Ledger'],
	['market.harbor.example', 'Harbor Market Watch'],
] as const;
export const ANGLES = [
	'a practical guide',
	'what changed this year',
	'compared and explained',
	'frequently asked questions',
] as const;
export const SENTENCES = [
	'Teams that started small and measured often got there first.',
	'The figures come from a survey of 412 companies in eleven countries.',
	'Costs fell by a third once the manual steps were automated.',
	'Most of the work lies in keeping the data clean, not in collecting it.',
	'Reviewers agree that a clear owner matters more than the choice of tool.',
	'The next update is planned for the coming quarter.',
] as const;

/** Returns a string made fit for a path. */
export const slug = (text: string) =>
	text
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-+|-+$/g, '')
		.slice(0, 60) || 'topic';

/** Returns the topic of a query: its words without operators and quotes. */
export function topicOf(query: string): string {
	const words = query.replace(/(^|\s)-?\w+:\S+/g, ' ').replace(/["()]/g, ' ');
	return words.replace(/\s+/g, ' ').trim() || query.trim() || 'the web';
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns what a task is about, judging by its prompt: a name in it, such as Northwind Coffee, or else all of it. */
export const subjectOf = (prompt: string) =>
	/(?<=\S\s+)[A-Z]\w+(\s[A-Z]\w+)*/.exec(prompt)?.[0] ?? topicOf(prompt).slice(0, 80);
