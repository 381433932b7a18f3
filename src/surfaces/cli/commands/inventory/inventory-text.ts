import type {
  ExtensionProblem,
  InventoryEntry,
} from '../../../../core/inventory/inventory-entry.ts';
import type { JsonObject } from '../../../../core/json.ts';
import { toOneLine } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';

/** An entry in a list. */
export function encodeEntry({ name, sourceHint, responsibility }: InventoryEntry): JsonObject {
  return { name, source_hint: sourceHint, responsibility };
}

export function encodeProblems(problems: readonly ExtensionProblem[]): JsonObject[] {
  return problems.map(({ path, message }) => ({ path, message }));
}

const MAX_PROBLEM_CHARS = 300;

/** Said below the answer: a skill that is missing from a list should say why. */
export function problemLines(problems: readonly ExtensionProblem[], style: Style): string[] {
  return problems.map(({ path, message }) =>
    style.yellow(toOneLine(`problem: ${path} ${message}`, MAX_PROBLEM_CHARS)),
  );
}
