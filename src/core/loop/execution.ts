import type { Agent } from '../agents/agent.ts';
import type { EffectWrite } from '../effects/effect.ts';
import { toRuntimeError } from '../errors.ts';
import type { EventDraft } from '../events/event.ts';
import type { Journal } from '../runs/journal.ts';
import type { Run } from '../runs/run.ts';
import { applyFact } from './apply-fact.ts';
import type { Fact, RunState } from './run-state.ts';

/** One run in one runner's hands: its state, its log, and the signal that says stop. */
export interface Execution {
  readonly run: Run;
  readonly agent: Agent;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  readonly state: RunState;
  /** Notes an event and applies it to the state, so that live and replayed runs go the same way. */
  record(draft: EventDraft, effect?: EffectWrite): void;
  /** Applies what somebody else has put on record. */
  observe(fact: Fact): void;
}

export function createExecution(parts: {
  readonly run: Run;
  readonly agent: Agent;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  readonly state: RunState;
}): Execution {
  let state = parts.state;
  return {
    run: parts.run,
    agent: parts.agent,
    journal: parts.journal,
    signal: parts.signal,
    get state() {
      return state;
    },
    record(draft, effect) {
      parts.journal.note(draft, effect);
      state = applyFact(state, draft);
    },
    observe(fact) {
      state = applyFact(state, fact);
    },
  };
}

/** Whether a run that was told to stop does so without an end, to go on elsewhere. */
export function isLeftOpen(signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  const { code } = toRuntimeError(signal.reason);
  return code !== 'cancelled' && code !== 'timeout';
}
