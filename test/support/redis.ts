import { randomBytes } from 'node:crypto';
import type { Engine } from './engine-hub.ts';
import { findEngine } from './find-engine.ts';

/** The Redis all test files share; each test keeps to keys and channels under its own prefix. */
export function findRedis(): Promise<Engine> {
  return findEngine('redis');
}

export function createRedisPrefix(): string {
  return `test:${randomBytes(8).toString('hex')}:`;
}
