import type { OpenStorage } from './harness.ts';

export function describeSkillStore(_engine: string, _open: OpenStorage): void {}
