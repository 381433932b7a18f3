import type { OpenStorage } from './harness.ts';

export function describeWorkerStore(_engine: string, _open: OpenStorage): void {}
