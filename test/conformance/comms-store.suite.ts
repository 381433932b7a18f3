import type { OpenStorage } from './harness.ts';

export function describeCommsStore(_engine: string, _open: OpenStorage): void {}
