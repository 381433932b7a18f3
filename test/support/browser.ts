import type { Engine } from './engine-hub.ts';
import { findEngine } from './find-engine.ts';

/** The shared Chromium, or why there is none: then the reason is printed and the tests in browsers are skipped. */
export function findBrowser(): Promise<Engine> {
  return findEngine('browser');
}
