import { canonicalJson, type JsonObject } from '../json.ts';
import { type SpecProblem, specProblem } from './spec-problem.ts';

/** Nobody nests a specification deeper, and what reads it does so recursively. */
const MAX_DEPTH = 64;

/** What must hold before anything looks into a document: how large and deep it is, and what its texts are made of. */
export function checkDocument(document: JsonObject, maxBytes: number): SpecProblem[] {
  if (isDeeper(document, MAX_DEPTH)) {
    return [specProblem('', `must not be nested deeper than ${MAX_DEPTH} levels`)];
  }
  const text = canonicalJson(document);
  if (Buffer.byteLength(text) > maxBytes) {
    return [specProblem('', `must not be larger than ${maxBytes} bytes`)];
  }
  // JSON writes both as escapes: an odd number of backslashes before the u makes it one.
  if (/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i.test(text)) {
    return [specProblem('', 'must be well-formed Unicode without NUL characters')];
  }
  return [];
}

/** Without recursion of its own, and no further than it has to. */
function isDeeper(value: unknown, maxDepth: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    );
  }
  return false;
}
