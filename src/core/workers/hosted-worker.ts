import type { Clock } from '../clock.ts';
import { defined } from '../defined.ts';
import { toRuntimeError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Redactor } from '../redact/redact.ts';
import { createNoticeLog, type NoticeLog } from './notice-log.ts';
import type { Worker, WorkerDraft } from './worker.ts';
import type { HostedAdapter, WorkerEnd, WorkerLink } from './worker-adapter.ts';
import { startedDraft } from './worker-rules.ts';
import type { WorkerSettings } from './worker-settings.ts';
import type { RecordResult, WorkerStore } from './worker-store.ts';

/** One attachment of a worker that lives in this server: its link, what it says, and its one end. */
export interface HostedWorker {
  readonly worker: Worker;
  readonly notices: NoticeLog;
  /** Undefined while it is being started, and when that failed. */
  link(): WorkerLink | undefined;
  /** Starts it, and records how that went. Answers with the worker as it is then. */
  start(adapter: HostedAdapter, reason: 'attach' | 'reattach'): Promise<Worker>;
  /** The first call decides how the end is recorded; the others wait for it. */
  end(ending: WorkerEnding): { readonly isFirst: boolean; readonly done: Promise<RecordResult> };
  /** Ends it without a word: its row is somebody else's by now. */
  abandon(): Promise<void>;
}

export interface WorkerEnding {
  readonly status: 'stopped' | 'failed';
  readonly draft: WorkerDraft;
  readonly reason: string;
}

export interface HostedWorkerDeps {
  readonly store: Pick<WorkerStore, 'record'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly settings: () => WorkerSettings;
}

const LIVE = ['starting', 'running', 'stopping'] as const;

export function createHostedWorker(
  deps: HostedWorkerDeps,
  worker: Worker,
  onGone: () => void,
): HostedWorker {
  const { id, epoch } = worker;
  const { store, logger } = deps;
  let link: WorkerLink | undefined;
  let ending: Promise<RecordResult> | undefined;
  let markStarted = () => {};
  // Nothing else is recorded before its start is, whatever came of that.
  const started = new Promise<void>((resolve) => {
    markStarted = resolve;
  });
  const notices = createNoticeLog({
    clock: deps.clock,
    async store(drafts) {
      await started;
      // Not before: what is dropped need not be read for secrets.
      const redacted = drafts.map((draft) => redactDraft(deps, draft));
      await store.record({ id, epoch, from: LIVE, drafts: redacted });
    },
    onFault: (thrown) =>
      logger.warn({ worker_id: id, err: toRuntimeError(thrown) }, 'notices of a worker were lost'),
  });

  async function abandon(): Promise<void> {
    onGone();
    await link?.stop({ reason: 'lost', graceMs: deps.settings().stopGraceMs });
  }

  async function finish({ status, draft, reason }: WorkerEnding): Promise<RecordResult> {
    await started;
    try {
      await recordStopping(deps, worker);
      await link?.stop({ reason, graceMs: deps.settings().stopGraceMs });
      await notices.finish();
    } finally {
      onGone();
    }
    return store.record({ id, epoch, from: LIVE, status, drafts: [draft] });
  }

  function end(request: WorkerEnding) {
    const isFirst = ending === undefined;
    ending ??= finish(request);
    return { isFirst, done: ending };
  }

  async function endBySelf({ reason, details }: WorkerEnd): Promise<void> {
    const draft = redactDraft(deps, { type: 'worker.failed', payload: { reason, ...details } });
    await end({ status: 'failed', draft, reason }).done.catch((thrown: unknown) => {
      const err = toRuntimeError(thrown);
      logger.warn({ worker_id: id, err }, 'the end of a worker could not be recorded');
    });
  }

  const listener = {
    onNotice: (notice: WorkerDraft) => notices.add(notice),
    onEnd: (ended: WorkerEnd) => void endBySelf(ended),
  };

  return {
    worker,
    notices,
    end,
    abandon,
    link: () => link,

    async start(adapter, reason) {
      try {
        link = await adapter.open(worker, listener);
        const result = await recordStart(store, { worker, link, reason });
        // Somebody has ended it elsewhere before it was there.
        if (result.outcome === 'refused') await abandon();
        return result.worker;
      } catch (thrown) {
        await abandon();
        return await recordNoStart(deps, worker, thrown);
      } finally {
        markStarted();
      }
    },
  };
}

interface Started {
  readonly worker: Worker;
  readonly link: WorkerLink;
  readonly reason: 'attach' | 'reattach';
}

function recordStart(
  store: HostedWorkerDeps['store'],
  { worker, link, reason }: Started,
): Promise<RecordResult> {
  const { processMark } = link;
  return store.record({
    id: worker.id,
    epoch: worker.epoch,
    from: ['starting'],
    status: 'running',
    drafts: [startedDraft(reason, worker)],
    ...defined({ processMark }),
  });
}

/**
 * From here on it is asked nothing more. A store that can't be written now must not keep it alive: it ends all the same,
 * and what is then missing of its end the keeper records when the lease has run out.
 */
async function recordStopping(
  { store, logger }: HostedWorkerDeps,
  { id, epoch }: Worker,
): Promise<void> {
  const from = ['starting', 'running'] as const;
  try {
    await store.record({ id, epoch, from, status: 'stopping', drafts: [] });
  } catch (thrown) {
    const err = toRuntimeError(thrown);
    logger.warn({ worker_id: id, err }, 'a worker that is stopping could not be recorded as such');
  }
}

async function recordNoStart(
  { store, redactor, logger }: HostedWorkerDeps,
  { id, epoch }: Worker,
  thrown: unknown,
): Promise<Worker> {
  const error = toRuntimeError(thrown);
  // A store that can't be written now leaves it to the keeper, which finds its lease run out.
  if (error.code === 'storage_unavailable') throw error;
  logger.warn({ worker_id: id, err: error }, 'worker could not be started');
  const payload = { reason: 'start_failed', message: redactor.redactText(error.message) };
  const drafts = [{ type: 'worker.failed', payload }] as const;
  return (await store.record({ id, epoch, from: LIVE, status: 'failed', drafts })).worker;
}

function redactDraft({ redactor }: HostedWorkerDeps, { type, payload }: WorkerDraft): WorkerDraft {
  return { type, payload: redactor.redact(payload, 'payload').value };
}
