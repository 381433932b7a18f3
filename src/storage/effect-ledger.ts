import type { Effect, EffectStatus, EffectWrite } from '../core/effects/effect.ts';
import { RuntimeError } from '../core/errors.ts';
import type { AgentId, RequestId, RunId } from '../core/ids.ts';

export interface LedgerContext {
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly nowMs: number;
  find(id: RequestId): Effect | undefined;
}

/**
 * The effects as they are after these steps, which may follow each other on one effect. Nothing is written here: a
 * step that does not fit throws before anything has changed. Such a step is a fault of the runtime and never of a
 * race, because the lease was checked before.
 */
export function advanceEffects(context: LedgerContext, writes: readonly EffectWrite[]): Effect[] {
  const changed = new Map<RequestId, Effect>();
  for (const write of writes) {
    const effect = changed.get(write.id) ?? context.find(write.id);
    changed.set(write.id, advance(context, effect, write));
  }
  return [...changed.values()];
}

function advance(context: LedgerContext, effect: Effect | undefined, write: EffectWrite): Effect {
  if (write.step === 'intend') {
    if (effect) throw misfit(write, `it is ${effect.status} already`);
    return intend(context, write);
  }
  if (!effect) throw misfit(write, 'it was never intended');
  if (effect.runId !== context.runId) throw misfit(write, `it belongs to run ${effect.runId}`);
  if (!PREDECESSORS[write.step].includes(effect.status)) {
    throw misfit(write, `it is ${effect.status}`);
  }
  const updatedAtMs = context.nowMs;
  if (write.step === 'send') return { ...effect, status: 'sent', updatedAtMs };
  const { status, error } = write;
  return { ...effect, status, error: error && { ...error }, updatedAtMs };
}

const PREDECESSORS: Record<'send' | 'settle', readonly EffectStatus[]> = {
  send: ['intent'],
  settle: ['intent', 'sent'],
};

function intend(
  { runId, agentId, nowMs }: LedgerContext,
  { id, tool, callId, key, inputDigest }: EffectWrite & { readonly step: 'intend' },
): Effect {
  return {
    id,
    runId,
    agentId,
    tool,
    callId,
    key,
    inputDigest,
    status: 'intent',
    error: undefined,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    resolution: undefined,
  };
}

function misfit({ step, id }: EffectWrite, why: string): RuntimeError {
  return new RuntimeError('internal', `effect ${id} can't take the step ${step}: ${why}`);
}

/**
 * What becomes of effects that are open when their run ends: nobody will come back to them. One that was sent may
 * have happened, and a person has to see it.
 */
export function closeEffect(effect: Effect, nowMs: number): Effect {
  return effect.status === 'sent'
    ? { ...effect, status: 'unknown', error: UNANSWERED, updatedAtMs: nowMs }
    : { ...effect, status: 'failed', error: NEVER_SENT, updatedAtMs: nowMs };
}

const UNANSWERED = {
  code: 'outcome_unknown',
  message: 'the run ended before the call was answered',
};
const NEVER_SENT = { code: 'cancelled', message: 'the run ended before the call was made' };

export function effectNotFound(id: RequestId): RuntimeError {
  return new RuntimeError('not_found', `effect ${id} does not exist`);
}

/** A page is read in one go. */
export const MAX_PAGE_EFFECTS = 500;
