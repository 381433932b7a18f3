import type { OpenStorage } from './harness.ts';

export function describeNonceStore(_engine: string, _open: OpenStorage): void {}
