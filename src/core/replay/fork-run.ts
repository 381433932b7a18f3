import { createHash } from 'node:crypto';
import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import type { Event } from '../events/event.ts';
import type { RunId } from '../ids.ts';
import { canonicalJson } from '../json.ts';
import { applyFact } from '../loop/apply-fact.ts';
import { findTakeable, takeMessages } from '../loop/apply-frame.ts';
import { isDirectMessage } from '../loop/direct-tool.ts';
import { isAnswer, type Message } from '../loop/model.ts';
import type { Prompt } from '../loop/prompt.ts';
import type { History } from '../loop/record/history.ts';
import { INITIAL_STATE, type RunState } from '../loop/run-state.ts';
import type { Runs } from '../runs/runs.ts';
import type { SubmitReceipt } from '../runs/submit-run.ts';
import { type ContextSource, loadRecordedContext } from './load-recorded-context.ts';
import { type RecordingDeps, readEndedRun, type WholeRun } from './read-recording.ts';

export interface ForkRun {
  readonly runId: RunId;
  /** The last event that the fork knows of. */
  readonly atSeq: number;
  /** What it is asked next; when absent it goes on with what was asked. */
  readonly message?: string;
  readonly model?: string;
  /** By id, slug or name; the agent of the first run when absent. */
  readonly agentId?: string;
  readonly source: string;
  readonly idempotencyKey?: string;
}

export interface ForkDeps extends RecordingDeps, ContextSource {
  readonly submit: Runs['submit'];
}

/** A run begins with all that it knows in one event: more than this is more than any model reads. */
const MAX_HISTORY_CHARS = 2_000_000;

/**
 * A new run that knows what another did up to an event and goes on by itself, for the same principal. It has no part in
 * the session of the first, which has gone on since.
 */
export async function forkRun(deps: ForkDeps, request: ForkRun): Promise<SubmitReceipt> {
  const ended = await readEndedRun(deps, request.runId);
  const { run } = ended;
  const state = await readStateAt(deps, ended, request.atSeq);
  const { history, goal } = toHistory(request, state);
  const model = request.model ?? (request.agentId === undefined ? state.model : undefined);
  return deps.submit({
    agentId: request.agentId ?? run.agentId,
    message: goal,
    owner: run.owner,
    source: request.source,
    fork: { from: { runId: run.id, seq: request.atSeq }, history },
    ...defined({ prompt: toPrompt(state) }),
    ...defined({ projectId: run.projectId, model, idempotencyKey: request.idempotencyKey }),
    idempotencyDigest: digestOf(request),
  });
}

/** What a caller told the model stays; its messages are in the history, and its tools were for that run alone. */
function toPrompt({ prompt }: RunState): Prompt | undefined {
  if (!prompt) return undefined;
  const { toolChoice: _, ...settings } = prompt.settings;
  return { ...prompt, settings, messages: [], clientTools: [] };
}

async function readStateAt(deps: ForkDeps, ended: WholeRun, atSeq: number): Promise<RunState> {
  const { run, log } = ended;
  const lastSeq = log.at(-1)?.seq ?? 0;
  if (atSeq < 1 || atSeq > lastSeq) {
    throw invalid(`run ${run.id} has events 1 to ${lastSeq}; at_seq is ${atSeq}`);
  }
  const context = await loadRecordedContext(deps, ended);
  let state: RunState = { ...INITIAL_STATE, ...context };
  for (const event of log.slice(0, atSeq)) state = applyFact(state, event);
  if (state.pending.length > 0) throw insideCall(ended, atSeq);
  if (isDirect(state)) {
    throw invalid(`run ${run.id} is one call of a tool and no conversation: call the tool again`);
  }
  return takeMessages(state, findTakeable(state));
}

function isDirect({ goal, prompt }: RunState): boolean {
  return prompt === undefined && isDirectMessage(goal);
}

function toHistory(
  { message, runId, atSeq }: ForkRun,
  { messages, exposure, goal }: RunState,
): { readonly history: History; readonly goal: string } {
  const last = messages.at(-1);
  if (message === undefined && last === undefined) {
    throw invalid(`nothing was said in run ${runId} up to event ${atSeq}: give a message`);
  }
  if (message === undefined && last && isAnswer(last)) {
    throw invalid(
      `run ${runId} had answered by event ${atSeq}: give a message, or an at_seq before the answer`,
    );
  }
  const asked: Message[] = message === undefined ? [] : [{ role: 'user', text: message }];
  const history = { messages: [...messages, ...asked], exposure };
  const chars = canonicalJson(history.messages).length;
  if (chars > MAX_HISTORY_CHARS) {
    const told = `run ${runId} had ${chars} characters of conversation by event ${atSeq}, and a fork begins with at most ${MAX_HISTORY_CHARS}`;
    throw new RuntimeError('payload_too_large', told);
  }
  return { history, goal: message ?? goal };
}

/** Half of a call can't be gone on from: no model takes a call without its result. */
function insideCall({ run, log }: WholeRun, atSeq: number): RuntimeError {
  const legal = listLegal(log);
  const before = legal.findLast((seq) => seq < atSeq);
  const after = legal.find((seq) => seq > atSeq);
  const near = [before, after].filter((seq) => seq !== undefined);
  const message = `event ${atSeq} of run ${run.id} stands inside a tool call: use at_seq ${near.join(' or ')}`;
  return new RuntimeError('invalid_input', message, { details: { near_seqs: near } });
}

function listLegal(log: readonly Event[]): number[] {
  let state: RunState = INITIAL_STATE;
  return log.flatMap((event) => {
    state = applyFact(state, event);
    return state.pending.length === 0 ? [event.seq] : [];
  });
}

function digestOf({ runId, atSeq, message, model, agentId }: ForkRun): string {
  const body = canonicalJson({ fork: runId, atSeq, message, model, agentId });
  return createHash('sha256').update(body).digest('hex');
}

function invalid(message: string): RuntimeError {
  return new RuntimeError('invalid_input', message);
}
