import type { RunEnd, RunFault } from '../runs/run.ts';
import type { MessageDraft } from './session.ts';

/** What the session gets to read when a run was cancelled, by its runner or before it had one. */
export const CANCELLED_MESSAGE: MessageDraft = {
  role: 'assistant',
  content: 'This request was cancelled before it was finished. Send it again to start over.',
  status: 'cancelled',
};

/**
 * What a run's end adds to its session: the answer, or why there is none and what to do about it, behind the answers
 * that it gave before somebody steered it.
 */
export function toEndMessage(end: RunEnd, passed: readonly string[] = []): MessageDraft {
  const last = toLastMessage(end);
  return { ...last, content: [...passed, last.content].join('\n\n') };
}

function toLastMessage(end: RunEnd): MessageDraft {
  switch (end.status) {
    case 'completed':
      return { role: 'assistant', content: end.output };
    case 'cancelled':
      return CANCELLED_MESSAGE;
    case 'failed':
      return { role: 'assistant', content: toFailureText(end.error), status: 'failed' };
  }
}

const RETRY = 'Send the message again to retry.';

const ADVICE: Readonly<Record<string, string>> = {
  provider_misconfigured:
    "Set the model provider's key or choose another model, then send the message again.",
  provider_failed: 'Send the message again; if it keeps failing, check the model provider.',
  timeout: 'Ask for a smaller step, or raise the time limit in the configuration.',
  limit_reached: 'Ask for a smaller step, or raise the limit in the configuration.',
  not_found: 'Choose an agent that exists, then send the message again.',
  invalid_input: 'Correct the message and send it again.',
  internal: "See the runtime's log, then send the message again.",
};

function toFailureText(error: RunFault | undefined): string {
  if (!error) return `This request failed. ${RETRY}`;
  const advice = Object.hasOwn(ADVICE, error.code) ? ADVICE[error.code] : RETRY;
  return `This request failed: ${error.message} (${error.code}). ${advice}`;
}
