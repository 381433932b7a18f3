import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '../json.ts';

/**
 * Calls that succeed and lead nowhere: the same call with the same result four times in a row, or two calls
 * alternating four times. Failing calls are recovery mode's business and break the pattern.
 */
export interface LoopGuard {
  /** Signatures of the latest successful calls, newest last. */
  readonly recent: readonly string[];
}

export const NO_CALLS: LoopGuard = { recent: [] };

const SAME_CALLS = 4;
const ALTERNATIONS = 4;
const WINDOW = ALTERNATIONS * 2;

export function observeCall(
  guard: LoopGuard,
  call: { readonly tool: string; readonly input: JsonValue; readonly output: JsonValue },
): LoopGuard {
  const signature = createHash('sha256')
    .update(canonicalJson([call.tool, call.input, call.output]))
    .digest('base64');
  return { recent: [...guard.recent, signature].slice(-WINDOW) };
}

export function findLoop(guard: LoopGuard): 'repeating' | 'alternating' | undefined {
  const { recent } = guard;
  const last = recent.at(-1);
  if (last === undefined) return undefined;
  if (recent.length >= SAME_CALLS && recent.slice(-SAME_CALLS).every((one) => one === last))
    return 'repeating';
  const other = recent.at(-2);
  if (recent.length < WINDOW || other === last) return undefined;
  const alternates = recent.every((one, index) => one === (index % 2 === 0 ? other : last));
  return alternates ? 'alternating' : undefined;
}

export function loopText(kind: 'repeating' | 'alternating', tools: readonly string[]): string {
  const what =
    kind === 'repeating'
      ? `the same call to ${tools.at(-1)} gave the same result ${SAME_CALLS} times in a row`
      : `two calls (${[...new Set(tools)].join(', ')}) alternated ${ALTERNATIONS} times with the same results`;
  return `I stopped because I was going in circles: ${what}. Tell me what to do differently, or narrow the task.`;
}
