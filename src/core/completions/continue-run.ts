import { RuntimeError } from '../errors.ts';
import type { Event } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Seal } from '../events/seal.ts';
import type { Ids, RunId } from '../ids.ts';
import { canonicalJson, isJsonObject, type JsonObject } from '../json.ts';
import type { Message } from '../loop/model.ts';
import { encodePrompt, type Prompt } from '../loop/prompt.ts';
import { replayRun } from '../loop/replay.ts';
import { INITIAL_STATE, type RunState } from '../loop/run-state.ts';
import { waitsForClient } from '../loop/thread-loop.ts';
import { isTerminal, type Run } from '../runs/run.ts';
import type { RunStore } from '../runs/run-store.ts';
import { acceptFrame } from '../threads/accept-frame.ts';
import { type CallRef, parseCallId } from './answer-ref.ts';
import type { Target } from './completions.ts';
import type { Exchange } from './follow-answer.ts';
import { findCompletion } from './recall-conversation.ts';

export interface ContinueDeps {
  readonly runs: Pick<RunStore, 'find' | 'acceptFrame'>;
  readonly events: EventLog;
  readonly ids: Ids;
  readonly seal: Seal;
}

/** A request in the words of the core, with nothing left to look up. */
export interface Wish {
  readonly target: Target;
  readonly prompt: Prompt;
  readonly idempotencyKey: string | undefined;
  /** What makes two requests with one key the same. */
  readonly digest: string;
}

interface Frame {
  readonly type: 'tool_result' | 'user_message';
  readonly payload: JsonObject;
}

/**
 * Gives a run that waits for its caller's tools the results that the conversation ends with. Undefined when none does:
 * it has gone on with other results, has ended, or was asked in another way. The conversation is then a new run's.
 */
export async function continueRun(deps: ContinueDeps, wish: Wish): Promise<Exchange | undefined> {
  const ending = findResults(wish.prompt.messages);
  const run = ending && (await findCompletion(deps, ending.runId));
  if (!ending || !run || (await deps.events.floor(run.id)) > 0) return undefined;
  const calls = await Promise.all(ending.results.map(({ ref }) => findCall(deps, ref)));
  const toFrames = (isWanted: (callId: string) => boolean): Frame[] => [
    ...ending.results.flatMap(({ text }, index): Frame[] => {
      const callId = calls[index];
      if (callId === undefined || !isWanted(callId)) return [];
      return [{ type: 'tool_result', payload: { tool_call_id: callId, output: text } }];
    }),
    ...ending.texts.map((text): Frame => ({ type: 'user_message', payload: { text } })),
  ];
  const known = await findFrame(deps, run.id, wish);
  if (known) {
    // Whoever sent the first may have died before the others.
    await sendFrames(deps, { runId: run.id, wish, frames: toFrames(() => true) });
    return replay(deps, run, known);
  }
  if (isTerminal(run.status)) return undefined;
  const state = await replayRun(deps.events, run.id, INITIAL_STATE);
  const open = state.pending.map(({ request }) => request.callId);
  const isAnswered = open.every((callId) => calls.includes(callId));
  if (!waitsForClient(state) || !isAnswered || !isSameWish(run, state, wish)) return undefined;
  // With a key a request is told by all of its frames; without one, what a broken request has sent is not sent again.
  const isKeyed = wish.idempotencyKey !== undefined;
  const frames = toFrames((callId) => isKeyed || open.includes(callId));
  const startSeq = await sendFrames(deps, { runId: run.id, wish, frames });
  if (startSeq !== undefined) return { run, startSeq, replayed: false };
  // The same request may have come twice at once.
  const twin = await findFrame(deps, run.id, wish);
  return twin && replay(deps, run, twin);
}

async function replay({ runs }: ContinueDeps, run: Run, { seq }: Event): Promise<Exchange> {
  return { run: (await runs.find(run.id)) ?? run, startSeq: seq, replayed: true };
}

interface Ending {
  readonly runId: RunId;
  readonly results: readonly { readonly ref: CallRef; readonly text: string }[];
  /** What the user has said beside them. */
  readonly texts: readonly string[];
}

/** The results of the last calls, when they are all that the conversation has added and all were calls of one run. */
function findResults(messages: readonly Message[]): Ending | undefined {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const results: { ref: CallRef; text: string }[] = [];
  const texts: string[] = [];
  for (const message of messages.slice(last + 1)) {
    if (message.role === 'user') texts.push(message.text);
    if (message.role !== 'tool') continue;
    const ref = parseCallId(message.callId);
    if (!ref) return undefined;
    results.push({ ref, text: message.text });
  }
  const runId = results[0]?.ref.runId;
  if (runId === undefined || results.some(({ ref }) => ref.runId !== runId)) return undefined;
  return { runId, results, texts };
}

/** What the run itself calls it by. */
async function findCall({ events }: ContinueDeps, { runId, seq }: CallRef) {
  const [event] = await events.read(runId, { after: seq - 1, limit: 1 });
  const isCall = event?.type === 'tool.call' && event.payload['executed_by'] === 'client';
  return isCall ? String(event.payload['tool_call_id']) : undefined;
}

function isSameWish(
  run: Run,
  { prompt, model }: RunState,
  { target, prompt: given }: Wish,
): boolean {
  if (prompt === undefined || run.agentId !== target.agentId || model !== target.model)
    return false;
  return canonicalJson(toManner(prompt)) === canonicalJson(toManner(given));
}

/** How an answer is made, whatever it is about. What must be called is a matter of one turn. */
function toManner({ clientTools, settings: { toolChoice: _, ...settings } }: Prompt): JsonObject {
  const nothing = { instructions: '', system: [], messages: [] };
  return encodePrompt({ ...nothing, clientTools, settings });
}

const FRAMES_PER_PAGE = 200;

/** The first frame of the same request, sent before. Throws `conflict` when its key was another request's. */
async function findFrame(
  { events }: ContinueDeps,
  runId: RunId,
  { idempotencyKey, digest }: Wish,
): Promise<Event | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const frameId = toFrameId(idempotencyKey, 0);
  for (let after = 0; ; ) {
    const page = await events.readFrames(runId, { after, limit: FRAMES_PER_PAGE });
    const found = page.find(({ payload }) => payload['frame_id'] === frameId);
    if (found) return isOf(found, digest) ? found : throwConflict(idempotencyKey);
    const last = page.at(-1);
    if (!last || page.length < FRAMES_PER_PAGE) return undefined;
    after = last.seq;
  }
}

function isOf({ payload: { payload } }: Event, digest: string): boolean {
  return isJsonObject(payload) && payload['request'] === digest;
}

function throwConflict(key: string): never {
  throw new RuntimeError('conflict', 'idempotency key was used for another request', {
    details: { key },
  });
}

interface Sending {
  readonly runId: RunId;
  readonly wish: Wish;
  readonly frames: readonly Frame[];
}

/** Answers with the place of the first; undefined when it was there, or the run has ended meanwhile. */
async function sendFrames(
  deps: ContinueDeps,
  { runId, wish, frames }: Sending,
): Promise<number | undefined> {
  const key = wish.idempotencyKey ?? deps.ids.request();
  let first: number | undefined;
  for (const [index, { type, payload }] of frames.entries()) {
    const frameId = toFrameId(key, index);
    const marked = { ...payload, request: wish.digest };
    const accepted = await acceptFrame(deps, { runId, frameId, type, payload: marked });
    if (index === 0) first = accepted.seq;
  }
  return first;
}

function toFrameId(key: string, index: number): string {
  return `${key}:${index}`;
}
