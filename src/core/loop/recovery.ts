import type { JsonObject } from '../json.ts';
import { cutUnits } from '../sessions/cut-text.ts';

/**
 * Recovery mode. Two failing results in a row start it; while it is on, three more failures hand the run back to the
 * user, and only three successes in a row clear it: a single lucky call proves nothing.
 */
export interface Recovery {
  readonly isActive: boolean;
  /** Before recovery: failures in a row. During it: failures since it began, successes in between or not. */
  readonly failures: number;
  readonly successesInRow: number;
  /** Latest failing attempts, oldest first. */
  readonly attempts: readonly Attempt[];
}

export interface Attempt {
  readonly tool: string;
  readonly input: string;
  readonly error: string;
  readonly output: string;
}

export const CALM: Recovery = { isActive: false, failures: 0, successesInRow: 0, attempts: [] };

const START_AFTER_FAILURES = 2;
const GIVE_UP_AFTER_FAILURES = 3;
const CLEAR_AFTER_SUCCESSES = 3;
const MAX_ATTEMPTS = 6;

export function observeSuccess(state: Recovery): Recovery {
  if (!state.isActive) return state.failures === 0 ? state : { ...state, failures: 0 };
  const successesInRow = state.successesInRow + 1;
  return successesInRow >= CLEAR_AFTER_SUCCESSES ? CALM : { ...state, successesInRow };
}

export function observeFailure(state: Recovery, attempt: Attempt): Recovery {
  const attempts = [...state.attempts, attempt].slice(-MAX_ATTEMPTS);
  const failures = state.failures + 1;
  // The failure that starts recovery is not one of the three that end it.
  if (!state.isActive && failures >= START_AFTER_FAILURES) {
    return { isActive: true, failures: 0, successesInRow: 0, attempts };
  }
  return { ...state, failures, successesInRow: 0, attempts };
}

export function mustAskUser(state: Recovery): boolean {
  return state.isActive && state.failures >= GIVE_UP_AFTER_FAILURES;
}

const MAX_INPUT_CHARS = 220;
const MAX_ERROR_CHARS = 420;
const MAX_OUTPUT_CHARS = 700;

export function toAttempt(call: {
  readonly tool: string;
  readonly input: JsonObject;
  readonly error: string;
  readonly output: string;
}): Attempt {
  return {
    tool: call.tool,
    input: cut(JSON.stringify(call.input), MAX_INPUT_CHARS),
    error: cut(call.error, MAX_ERROR_CHARS),
    output: cut(call.output, MAX_OUTPUT_CHARS),
  };
}

/** What the model is told while recovery mode is on. */
export const RECOVERY_INSTRUCTION = [
  '## ERROR_RECOVERY_MODE',
  'The last tool calls failed. Do not repeat a failing call unchanged.',
  'Read the errors, find the cause, and try a different way: check the inputs first, then make one small step and look at its result.',
  'If you lack something only the user can give, stop calling tools and ask for it.',
].join('\n');

/** The answer that hands the run back: what was wanted, what was tried, and what is needed now. */
export function guidanceText(goal: string, attempts: readonly Attempt[]): string {
  const tried = attempts.map((attempt, index) => {
    const lines = [`${index + 1}. ${attempt.tool} ${attempt.input}`, `   error: ${attempt.error}`];
    if (attempt.output !== '') lines.push(`   output: ${attempt.output}`);
    return lines.join('\n');
  });
  return [
    'I could not finish this: several tool calls failed and other ways failed too.',
    `Goal: ${cut(goal, 600)}`,
    `Latest attempts:\n${tried.join('\n')}`,
    'How should I go on? A corrected path or value, a permission, or another approach would help.',
  ].join('\n\n');
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${cutUnits(text, maxChars)}…`;
}
