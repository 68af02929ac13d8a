/** Whole ms since n8n started. Unlike the date, they neither jump nor go back when the system's clock is set. */
export const monotonicMs = (): number => Math.floor(performance.now());
