export { callService, DEFAULT_MAX_WAIT_MS } from './call';
export { CONCURRENCY } from './concurrency';
export { pathSegment } from './path';
export { runOf, type ItemRun } from './run';
export { serviceRoot } from './root';
export type { Failure } from './errors';
export type { CallSettings, ServiceAnswer, ServiceCall, ServiceContext } from './types';
