import type { RunSummary } from '../../../../../src/operations/runs/run-shapes.ts';

export interface WhyEnded {
  /** The code, for whoever looks it up. */
  readonly code: string;
  readonly words: string;
  readonly nextStep: string;
}

type Ended = Pick<RunSummary, 'status' | 'stop_reason' | 'error'>;

/** What stands behind a reason to stop, and what helps. A run that simply answered has none. */
const REASONS: Readonly<Record<string, Omit<WhyEnded, 'code'>>> = {
  cancelled: {
    words: 'It was cancelled.',
    nextStep: 'Fork it to go on from where it stood.',
  },
  timeout: {
    words: 'Its time ran out.',
    nextStep: 'Fork it to let it go on, or raise engine.default_run_timeout_ms in the settings.',
  },
  max_turns_reached: {
    words: 'It took as many turns as a run may.',
    nextStep: 'Fork it to let it go on, or raise engine.max_turns in the settings.',
  },
  max_budget_reached: {
    words: 'A budget left no room for it.',
    nextStep:
      'Raise the budget under Costs, or engine.max_run_tokens in the settings; then fork it.',
  },
  loop_detected: {
    words: 'It did the same again and again.',
    nextStep: 'Fork it from before the loop with a message that shows another way.',
  },
  needs_guidance: {
    words: 'Several calls failed, and it asks how to go on.',
    nextStep: 'Answer in its session, or fork it with what it lacks.',
  },
  length: {
    words: 'Its answer was cut at the output limit of the model.',
    nextStep: 'Ask it to go on, or raise the limit in the settings.',
  },
  content_filter: {
    words: 'The provider did not let the answer go on.',
    nextStep: 'Ask in other words, or fork it with another model.',
  },
};

/** By the code of the fault. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  provider_misconfigured: 'Check the model and its key under Settings.',
  provider_failed:
    "Look at the attempts on the timeline; the provider's status page may tell more.",
  budget_exceeded: 'Raise the budget under Costs, then fork it to go on.',
  policy_denied: 'The security page and the agent’s permissions say what is allowed.',
  storage_unavailable: "The server's log tells more; is the disk full?",
  internal: "The server's log tells more.",
};

/** Undefined for a run that goes on, or that ended with its answer. */
export function describeEnd({ status, stop_reason: reason, error }: Ended): WhyEnded | undefined {
  if (reason === null || reason === 'completed') return undefined;
  const known = REASONS[reason];
  if (error === undefined) {
    return known === undefined
      ? { code: reason, words: `It ended as ${status}.`, nextStep: '' }
      : { code: reason, ...known };
  }
  return {
    code: error.code,
    words: toSentence(error.message),
    nextStep: known?.nextStep ?? NEXT_STEPS[error.code] ?? '',
  };
}

function toSentence(message: string): string {
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}
