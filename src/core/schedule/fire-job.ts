import { toIso } from '../clock.ts';
import { defined } from '../defined.ts';
import type { Seal } from '../events/seal.ts';
import { faultPoint } from '../fault-point.ts';
import type { Ids, SessionId } from '../ids.ts';
import { OPERATOR } from '../principal.ts';
import type { Redactor } from '../redact/redact.ts';
import type { RunSlots } from '../runs/runner.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { Job } from './job.ts';
import type { FireResult, FireSlot, JobStore } from './job-store.ts';

export interface FireJobDeps {
  readonly store: Pick<JobStore, 'fire'>;
  readonly sessions: Pick<SessionStore, 'open'>;
  readonly ids: Pick<Ids, 'run' | 'session'>;
  readonly seal: Seal;
  /** Secrets may have been learned since the job was stored. */
  readonly redactor: Pick<Redactor, 'redactText'>;
  /** The runner of this process, when it has one: a free place takes the run at once. */
  readonly slots: Pick<RunSlots, 'reserve'> | undefined;
}

export interface FireJob
  extends Omit<FireSlot, 'run' | 'drafts' | 'options' | 'jobId' | 'revision'> {
  readonly maxQueued: number;
  readonly maxWaitingInSession: number;
}

/** Claims a slot and makes its run, together. Whatever else happens, the slot has one run or none. */
export async function fireJob(deps: FireJobDeps, job: Job, request: FireJob): Promise<FireResult> {
  const { maxQueued, maxWaitingInSession, ...claim } = request;
  const sessionId = job.mode === 'main_like' ? await openMainSession(deps, job) : undefined;
  const message = deps.redactor.redactText(job.message);
  const slot = deps.slots?.reserve();
  try {
    faultPoint('schedule.before_fire');
    const result = await deps.store.fire({
      ...claim,
      jobId: job.id,
      revision: job.revision,
      run: {
        id: deps.ids.run(),
        agentId: job.agentId,
        owner: job.owner,
        source: 'scheduler',
        message,
        ...defined({ sessionId }),
      },
      drafts: [toCreated(deps.seal, job, { message, slotMs: request.slotMs, sessionId })],
      options: {
        maxQueued,
        maxWaitingInSession,
        ...(slot === undefined ? {} : { lease: slot.claim }),
      },
    });
    faultPoint('schedule.after_fire');
    if (result.outcome === 'fired' && result.lease !== undefined) {
      slot?.start({ run: result.run, lease: result.lease, resumed: false, cancelRequested: false });
    }
    return result;
  } finally {
    slot?.cancel();
  }
}

/** Where an agent goes on with what is its own. One per agent and owner, in a place that no chat can name. */
async function openMainSession(deps: FireJobDeps, { agentId, owner }: Job): Promise<SessionId> {
  const userId = owner === OPERATOR ? '' : owner;
  const place = { channel: 'main', userId, roomId: '', agentId, owner };
  const { session } = await deps.sessions.open(place, deps.ids.session());
  return session.id;
}

interface CreatedFor {
  readonly message: string;
  readonly slotMs: number;
  readonly sessionId: SessionId | undefined;
}

function toCreated(seal: Seal, job: Job, { message, slotMs, sessionId }: CreatedFor) {
  return seal({
    type: 'run.created',
    actor: 'system',
    payload: {
      source: 'scheduler',
      ...(job.owner === OPERATOR ? {} : { principal: job.owner }),
      message,
      job_id: job.id,
      slot: toIso(slotMs),
      ...defined({ session_id: sessionId }),
    },
    ...(sessionId === undefined ? {} : { message: { role: 'user', content: message } }),
  });
}
