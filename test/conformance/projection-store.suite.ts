import type { OpenStorage } from './harness.ts';

export function describeProjectionStore(_engine: string, _open: OpenStorage): void {}
