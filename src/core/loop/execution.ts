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
  /** A run of a thread turns to new messages, and has as much time for them as it had for those before. */
  beginAnswer(): void;
}

export function createExecution(parts: {
  readonly run: Run;
  readonly agent: Agent;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  readonly state: RunState;
  readonly beginAnswer?: () => void;
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
    beginAnswer: parts.beginAnswer ?? (() => {}),
  };
}

/** Whether a run that was told to stop does so without an end, to go on elsewhere. */
export function isLeftOpen(signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  const { code } = toRuntimeError(signal.reason);
  return code !== 'cancelled' && code !== 'timeout';
}

/** Stands in for an agent that was removed after its run was accepted, just long enough to end the run. */
export function ghostOf(run: Run): Agent {
  return {
    id: run.agentId,
    name: run.agentId,
    role: '',
    model: undefined,
    instructions: '',
    createdAtMs: 0,
  };
}
