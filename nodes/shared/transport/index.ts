export { callService, DEFAULT_MAX_WAIT_MS, pause } from './call';
export { CONCURRENCY } from './concurrency';
export { downloadFiles, MAX_FILE_BYTES } from './files';
export { followPages, type PageSettings } from './pages';
export { pathSegment } from './path';
export { runOf, type ItemRun } from './run';
export { serviceRoot } from './root';
export type { Failure } from './errors';
export type { CallSettings, ServiceAnswer, ServiceCall, ServiceContext } from './types';
