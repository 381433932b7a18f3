import { RuntimeError, toRuntimeError } from '../errors.ts';
import { faultPoint } from '../fault-point.ts';
import type { AgentId, MemoryId } from '../ids.ts';
import { isStopped } from '../kill-switch/kill-switch.ts';
import type { Logger } from '../log.ts';
import type { Mailbox } from '../mail/mailbox.ts';
import type { Run } from '../runs/run.ts';
import type { Runs } from '../runs/runs.ts';
import { cutText } from '../sessions/cut-text.ts';
import type { Handoff, HandoffEnd, HandoffStore } from './handoff.ts';

export interface DeliverDeps {
  readonly store: HandoffStore;
  readonly runs: Pick<Runs, 'submit' | 'get'>;
  readonly mailbox: Pick<Mailbox, 'send'>;
  /** Writes what everybody may know of it, once for one hand-off. */
  remember(handoff: Handoff): Promise<MemoryId>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** A report is for reading; the whole output stays with the run. */
const MAX_REPORT_CHARS = 4_000;
/** What the list of hand-offs and the feed show of an answer. */
const MAX_RESULT_CHARS = 4_000;

/**
 * Remembers it and queues the receiver's run. Every step may be taken again: after a crash, or by another node at the
 * same time. Throws what may be over later; what can't ever work ends the hand-off.
 */
export async function deliverHandoff(deps: DeliverDeps, handoff: Handoff): Promise<void> {
  if (handoff.memoryId === undefined) await rememberHandoff(deps, handoff);
  faultPoint('handoff.after_memory');
  try {
    await submitOnce(deps, handoff);
  } catch (thrown) {
    const error = toRuntimeError(thrown);
    // Who stopped everything did not refuse this: it is delivered when work goes on.
    if (mayPass(error) || isStopped(error)) throw thrown;
    const end = { state: 'failed', result: undefined, error: error.message } as const;
    await deps.store.end(handoff.id, end);
    return;
  }
  faultPoint('handoff.after_run');
  await deps.store.noteQueued(handoff.id);
}

/** A fault of ours says nothing about the work. */
function mayPass({ code, retryable }: RuntimeError): boolean {
  return retryable || code === 'internal';
}

/** That a memory is refused keeps nobody from the work. */
async function rememberHandoff(deps: DeliverDeps, handoff: Handoff): Promise<void> {
  try {
    await deps.store.noteMemory(handoff.id, await deps.remember(handoff));
  } catch (thrown) {
    const { code, message, retryable } = toRuntimeError(thrown);
    if (retryable) throw thrown;
    const fields = { handoff_id: handoff.id, code, reason: message };
    deps.logger.warn(fields, 'a hand-off could not be remembered');
  }
}

async function submitOnce({ runs }: DeliverDeps, handoff: Handoff): Promise<void> {
  const { id, runId, to, owner, projectId } = handoff;
  if (await isThere(runs, handoff)) return;
  await runs.submit({
    id: runId,
    agentId: to,
    owner,
    projectId,
    source: 'handoff',
    message: toMessage(handoff),
    // Two nodes that find no run make one all the same. The id names it too: callers choose keys freely.
    idempotencyKey: `handoff:${id}:${runId}`,
  });
}

async function isThere(runs: DeliverDeps['runs'], { runId }: Handoff): Promise<boolean> {
  try {
    await runs.get(runId);
    return true;
  } catch (thrown) {
    if (thrown instanceof RuntimeError && thrown.code === 'not_found') return false;
    throw thrown;
  }
}

/** Never begins with the words of the agent that wrote it: those may look like a command. */
function toMessage({ from, projectId, content }: Handoff): string {
  return (
    `Agent ${from} hands this over to you, in project ${projectId}. ` +
    `What you answer is reported back to it.\n\n${content}`
  );
}

/** Takes over what became of the receiver's run. */
export async function endHandoff({ store, runs }: DeliverDeps, handoff: Handoff): Promise<void> {
  await store.end(handoff.id, toEnd(await runs.get(handoff.runId)));
  faultPoint('handoff.after_end');
}

function toEnd({ status, output, error }: Run): HandoffEnd {
  if (status === 'completed') {
    return { state: 'done', result: cutText(output ?? '', MAX_RESULT_CHARS), error: undefined };
  }
  const reason = error === undefined ? '' : `: ${error.message}`;
  return { state: 'failed', result: undefined, error: `the run was ${status}${reason}` };
}

/** Tells the sender, once. An inbox that takes no more, or an agent that is gone, ends the matter. */
export async function reportHandoff(deps: DeliverDeps, handoff: Handoff): Promise<void> {
  const { id, owner, from, to, runId, state } = handoff;
  try {
    await deps.mailbox.send({
      owner,
      from: to,
      to: from as AgentId,
      subject: `hand-off ${state}`,
      taskId: id,
      body: cutText(toReport(handoff), MAX_REPORT_CHARS),
      runId,
      key: `handoff:${id}:${runId}`,
    });
  } catch (thrown) {
    const error = toRuntimeError(thrown);
    if (mayPass(error)) throw thrown;
    const fields = { handoff_id: id, code: error.code, reason: error.message };
    deps.logger.warn(fields, 'a hand-off was not reported');
  }
  faultPoint('handoff.after_report');
  await deps.store.noteReported(id);
}

function toReport({ id, to, state, result, error }: Handoff): string {
  const outcome =
    state === 'done' ? `:\n${result ?? ''}` : ` failed: ${error ?? 'nobody knows why'}`;
  return `What you handed to agent ${to} (${id})${outcome}`;
}
