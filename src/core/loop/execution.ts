import type { Agent } from '../agents/agent.ts';
import type { EffectWrite } from '../effects/effect.ts';
import { toRuntimeError } from '../errors.ts';
import type { EventDraft } from '../events/event.ts';
import { toRecorded } from '../events/seal.ts';
import type { Journal } from '../runs/journal.ts';
import type { Run } from '../runs/run.ts';
import type { RunControl } from '../runs/run-control.ts';
import type { ToolCaller } from '../tools/tool-runner.ts';
import { applyFact } from './apply-fact.ts';
import { decodeCalls } from './record/encode-call.ts';
import type { Fact, RunState } from './run-state.ts';
import type { StepGuard } from './step-guard.ts';

/** One run in one runner's hands: its state, its log, and the signal that says stop. */
export interface Execution {
  readonly run: Run;
  readonly agent: Agent;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  readonly guard: StepGuard | undefined;
  readonly state: RunState;
  /** Whether somebody has written to it since it was taken in hand. */
  readonly hasMail: boolean;
  /**
   * Notes an event and applies it to the state as it is on record: what the model is told is what is stored, so that
   * live and replayed runs go the same way.
   */
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
  readonly control: Pick<RunControl, 'signal' | 'guard' | 'hasMail'>;
  readonly state: RunState;
  readonly beginAnswer?: () => void;
}): Execution {
  let state = parts.state;
  return {
    run: parts.run,
    agent: parts.agent,
    journal: parts.journal,
    signal: parts.control.signal,
    guard: parts.control.guard,
    get hasMail() {
      return parts.control.hasMail;
    },
    get state() {
      return state;
    },
    record(draft, effect) {
      const sealed = parts.journal.note(draft, effect);
      // They are many, and change nothing.
      if (draft.type === 'model.delta') return;
      state = keepHeard(applyFact(state, toRecorded(sealed)), draft);
    },
    observe(fact) {
      state = applyFact(state, fact);
    },
    beginAnswer: parts.beginAnswer ?? (() => {}),
  };
}

/** Arguments that held a secret are good for their one call, in the process that heard them, and for nothing else. */
function keepHeard(state: RunState, { type, payload }: EventDraft): RunState {
  if (type !== 'model.completed' || !state.pending.some((call) => call.isRedacted)) return state;
  const heard = decodeCalls(payload['tool_calls']);
  return {
    ...state,
    pending: state.pending.map((call, index) =>
      call.isRedacted ? { ...call, heard: heard[index] } : call,
    ),
  };
}

/** In whose name the run makes its calls. */
export function toCaller({ run, agent }: Pick<Execution, 'run' | 'agent'>): ToolCaller {
  return { runId: run.id, agentId: agent.id, principal: run.owner };
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
    slug: run.agentId,
    name: run.agentId,
    role: '',
    model: undefined,
    instructions: '',
    personalityTemplate: undefined,
    voiceId: undefined,
    skills: [],
    memoryAccess: 'private',
    status: 'idle',
    createdAtMs: 0,
    updatedAtMs: 0,
  };
}
