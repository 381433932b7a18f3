import { Buffer } from 'node:buffer';
import type { JsonObject } from '../core/json.ts';
import { formatConfig, MAX_CONFIG_BYTES } from './config-file.ts';
import { type ConfigProblem, toProblems } from './config-problem.ts';
import { configSchema } from './schema/schema.ts';
import { findPlaceProblems } from './state-root/place-problems.ts';
import type { StatePaths } from './state-root/state-paths.ts';
import { findOverrideProblems } from './to-reliability-overrides.ts';

/** No honest config nests like this, and what walks one does so by recursion. */
const MAX_DEPTH = 32;

/** Everything that would keep a file with this content from being loaded; empty when nothing would. */
export function findDocumentProblems(
  document: JsonObject,
  paths: StatePaths,
): readonly ConfigProblem[] {
  const parsed = configSchema.safeParse(document);
  if (!parsed.success) return toProblems(parsed.error.issues, document);
  const problems = [
    ...findOverrideProblems(parsed.data.tool_reliability.overrides),
    ...findPlaceProblems(parsed.data, paths),
  ];
  if (problems.length > 0) return problems;
  const bytes = Buffer.byteLength(formatConfig(document));
  if (bytes <= MAX_CONFIG_BYTES) return [];
  const problem = `has ${bytes} bytes, more than ${MAX_CONFIG_BYTES}`;
  return [{ field: '', problem, fix: 'shorten it' }];
}

/** For what comes from outside, before anything else looks at it. */
export function findDepthProblems(document: JsonObject): readonly ConfigProblem[] {
  let level: readonly unknown[] = [document];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) {
      const problem = `is nested deeper than ${MAX_DEPTH} levels`;
      return [{ field: '', problem, fix: 'flatten it' }];
    }
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return [];
}
