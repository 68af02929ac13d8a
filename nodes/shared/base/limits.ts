/**
 * The bounds that keep n8n working, whatever a service, a page or a list sends. The table in
 * docs/maintainers/reliability.md is generated from here.
 */
export const MB = 1024 * 1024;

/** Largest response, in bytes after decompression. The service sends at most 10 MB of pages at a time. */
export const MAX_BODY_BYTES = 64 * MB;

/** Maximum number of bytes read from an error response. */
export const MAX_ERROR_BYTES = 1 * MB;

/** Maximum time (ms) to read the body of an error. */
export const MAX_ERROR_MS = 10_000;

/** Size of a response, in bytes, from which it is large. */
export const LARGE_BODY_BYTES = 2 * MB;

/** Maximum number of large responses being read at a time in this n8n process, and of one account. */
export const MAX_LARGE_BODIES = 4;
export const MAX_LARGE_OF_ACCOUNT = 3;

/** Maximum number of bytes of all other responses being read. */
export const MAX_SMALL_BYTES = 128 * MB;

/**
 * Maximum number of values in a response (objects, lists and their entries), since each takes up to 100 bytes of
 * memory.
 */
export const MAX_VALUES = 2_000_000;

/** Deepest nesting of a request or response; n8n's own code walks through a node's output recursively. */
export const MAX_DEPTH = 500;

/**
 * Size of a run's results, in bytes, from which nothing more is sent. n8n saves at most 512 MB; half of that is left
 * for calls in flight.
 */
export const MAX_RESULT_BYTES = 256 * MB;

/** Maximum number of bytes of pages that a node run keeps as items: n8n needs several times as much to pass them on. */
export const MAX_HELD_BYTES = 100 * MB;

/**
 * Maximum number of results of one input item: n8n passes them as the arguments of one call, which accepts some
 * 120,000.
 */
export const MAX_ITEMS = 100_000;

/** Maximum length of a file of pages, in characters of JSON; a page longer than that gets a file of its own. */
export const MAX_PAGES_LENGTH = 10 * MB;

/** Maximum number of files per item: a page has at most 50, but an item may contain many pages. */
export const MAX_FILES = 1_000;

/** Largest file that is downloaded, in MB. */
export const MAX_FILE_MB = 100;

/** Maximum size, in GB, of files in a node run: links or pages without end would fill n8n's disk. */
export const MAX_FILES_GB = 5;

/** Maximum number of entries in a list, because n8n is blocked while they are checked. */
export const MOST_ENTRIES = 100_000;

/** Maximum number of URLs in a list, because n8n is blocked while they are read. */
export const MOST_URLS = 40_000;

/** Maximum number of patterns in a list of paths: the service takes no more. */
export const MOST_PATTERNS = 1_000;

/** Maximum length of a pattern, in characters: longer URLs don't work in browsers. */
export const LONGEST_PATTERN = 2_000;
