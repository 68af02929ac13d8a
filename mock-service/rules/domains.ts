import type { Entry } from '../entry';
import { broken, type Broken } from './rule';

const DOMAIN = /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d][a-z\d-]{0,61}[a-z\d]$/i;

/** Returns the rules that the domains to include and to exclude break, each on its own. */
export const domainRules = (body: Entry): Broken[] =>
	['includeDomains', 'excludeDomains'].flatMap((name) =>
		((body[name] ?? []) as string[]).flatMap((domain, index) =>
			broken([
				!DOMAIN.test(domain.trim()),
				[name, index],
				'Domain must be a valid hostname without protocol or path',
			]),
		),
	);
