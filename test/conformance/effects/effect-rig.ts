import { createIds } from '../../../src/core/create-ids.ts';
import type { Effect, EffectWrite } from '../../../src/core/effects/effect.ts';
import type { RequestId } from '../../../src/core/ids.ts';
import type { Held } from '../harness.ts';

const ids = createIds(() => Date.now());

export const newRequestId = (): RequestId => ids.request();

type Intend = EffectWrite & { readonly step: 'intend' };

export function intend(id: RequestId, overrides: Partial<Intend> = {}): Intend {
  return {
    step: 'intend',
    id,
    tool: 'http.request',
    callId: 'call_1',
    key: undefined,
    inputDigest: 'digest',
    ...overrides,
  };
}

export const send = (id: RequestId): EffectWrite => ({ step: 'send', id });

export function settle(
  id: RequestId,
  status: 'confirmed' | 'failed' | 'unknown' = 'confirmed',
): EffectWrite & { readonly step: 'settle' } {
  return { step: 'settle', id, status };
}

/** What `intend(id)` leaves behind. */
export function intended(id: RequestId, { run }: Pick<Held, 'run'>, atMs: number): Effect {
  return {
    id,
    runId: run.id,
    agentId: run.agentId,
    tool: 'http.request',
    callId: 'call_1',
    key: undefined,
    inputDigest: 'digest',
    status: 'intent',
    error: undefined,
    createdAtMs: atMs,
    updatedAtMs: atMs,
    resolution: undefined,
  };
}
