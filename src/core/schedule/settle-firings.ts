import { type RuntimeError, toRuntimeError } from '../errors.ts';
import { sealMessage } from '../events/seal.ts';
import type { AgentId, Ids } from '../ids.ts';
import type { Logger } from '../log.ts';
import { inParallel } from '../records/in-parallel.ts';
import type { Redactor } from '../redact/redact.ts';
import type { Run } from '../runs/run.ts';
import type { JobStore, Notice, UnsettledFiring } from './job-store.ts';

export interface SettleDeps {
  readonly store: Pick<JobStore, 'listUnsettled' | 'settle'>;
  readonly ids: Pick<Ids, 'mail'>;
  readonly redactor: Redactor;
  readonly logger: Pick<Logger, 'error'>;
}

/** Outcomes told in one go; the next tick goes on with the rest. */
const SETTLED_PER_TICK = 50;

const MAX_AT_ONCE = 8;

/** A notice is for reading; the whole output stays with the run. */
const MAX_NOTICE_CHARS = 4_000;

/**
 * Tells whoever asked for it what came of runs that have ended, each once. Answers whether more may be waiting. What
 * can not be told leaves the others alone, and is tried again with the next tick.
 */
export async function settleFirings(deps: SettleDeps): Promise<boolean> {
  const ended = await deps.store.listUnsettled(SETTLED_PER_TICK);
  const faults: RuntimeError[] = [];
  await inParallel(ended, MAX_AT_ONCE, async (firing) => {
    const { jobId, slotMs, runId } = firing;
    try {
      await deps.store.settle({ jobId, slotMs, runId }, toNotice(deps, firing));
    } catch (thrown) {
      faults.push(toRuntimeError(thrown));
    }
  });
  const [first] = faults;
  if (!first) return ended.length === SETTLED_PER_TICK;
  const fields = { code: first.code, count: faults.length };
  deps.logger.error(fields, 'could not tell what came of fired jobs');
  return false;
}

function toNotice(deps: SettleDeps, { job, run, slotMs }: UnsettledFiring): Notice | undefined {
  const { channel, target } = job.notify;
  const body = clip(`Scheduled job ${job.id}${describeEnd(run)}`);
  switch (channel) {
    case 'none':
      return undefined;
    case 'session':
      // A run of this very session has said it there already.
      if (run.sessionId === target) return undefined;
      return {
        channel,
        sessionId: target,
        message: sealMessage(deps.redactor, {
          role: 'assistant',
          content: body,
          ...(run.status === 'failed' || run.status === 'cancelled' ? { status: run.status } : {}),
        }),
      };
    case 'agent':
      return {
        channel,
        mail: {
          id: deps.ids.mail(),
          owner: job.owner,
          from: job.agentId,
          to: target as AgentId,
          subject: `job ${job.id} ${run.status}`,
          taskId: job.id,
          body: deps.redactor.redactText(body),
          runId: run.id,
          key: `job:${job.id}:${slotMs}:${run.id}`,
        },
      };
  }
}

function describeEnd(run: Run): string {
  if (run.status === 'completed') return `:\n${run.output ?? ''}`;
  const reason = run.error === undefined ? '' : `: ${run.error.message}`;
  return run.status === 'cancelled' ? ' was cancelled.' : ` failed${reason}`;
}

function clip(text: string): string {
  if (text.length <= MAX_NOTICE_CHARS) return text;
  const points = Array.from(text.slice(0, 2 * MAX_NOTICE_CHARS));
  return points.length <= MAX_NOTICE_CHARS
    ? text
    : `${points.slice(0, MAX_NOTICE_CHARS - 1).join('')}…`;
}
