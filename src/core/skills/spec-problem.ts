import type { core } from 'zod';
import { RuntimeError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json.ts';

/** What is wrong with a part of a spec, as it goes over the wire. */
export interface SpecProblem {
  readonly reason_code: string;
  /** Within the spec; empty for the spec as a whole. */
  readonly path: string;
  readonly message: string;
}

/** Enough to mend a document; a hostile one has any number. */
const MAX_PROBLEMS = 20;

export function specProblem(path: string, message: string): SpecProblem {
  return { reason_code: 'skill_registry.invalid_schema', path, message };
}

export function invalidSpec(problems: readonly SpecProblem[]): RuntimeError {
  return new RuntimeError('unprocessable', 'skill registry validation failed', {
    details: { problems: problems.slice(0, MAX_PROBLEMS) },
  });
}

export function toSpecProblems(issues: readonly core.$ZodIssue[], spec: JsonObject): SpecProblem[] {
  return issues.slice(0, MAX_PROBLEMS).map((issue) => {
    const isMissing = valueAt(spec, issue.path) === undefined;
    const path = issue.path.map(String).join('.');
    return specProblem(path, isMissing ? 'is required' : issue.message);
  });
}

function valueAt(spec: unknown, path: readonly PropertyKey[]): unknown {
  let value = spec;
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else value = isJsonObject(value) ? value[String(key)] : undefined;
  }
  return value;
}
