import type { OpenStorage } from './harness.ts';

export function describeReceiptStore(_engine: string, _open: OpenStorage): void {}
