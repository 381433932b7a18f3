import { type Event, isTerminalEvent } from '../../../src/core/events/event.ts';
import { verifyChain } from '../../../src/core/events/hash-chain.ts';
import type { Run } from '../../../src/core/runs/run.ts';
import { encodeEvent } from '../../../src/operations/runs/run-codec.ts';
import type { ClientRun } from './client-memory.ts';
import { digestOf } from './run-reader.ts';

export interface StoredRun {
  readonly run: Run;
  readonly events: readonly Event[];
}

/** The log of one run by itself: whole, chained, ended once, every call answered once. */
export function checkEvents({ run, events }: StoredRun): string[] {
  const violations: string[] = [];
  const wrong = (what: string) => violations.push(`${run.id}: ${what}`);
  const chain = verifyChain(events);
  if (!chain.ok) wrong(`${chain.reason} at seq ${chain.seq}`);
  if (run.lastSeq !== events.length) wrong(`last seq ${run.lastSeq}, ${events.length} events`);
  const terminal = events.filter(isTerminalEvent);
  if (terminal.length !== 1) wrong(`${terminal.length} terminal events`);
  const last = events.at(-1);
  if (last === undefined || !isTerminalEvent(last)) wrong(`its last event is ${last?.type}`);
  if (last?.type !== `run.${run.status}`) wrong(`status ${run.status}, last event ${last?.type}`);
  if (countOf(events, 'run.created') !== 1) wrong('not created once');
  if (countOf(events, 'run.started') > 1) wrong('started twice');
  for (const problem of [...checkCalls(events), ...checkTexts(events)]) wrong(problem);
  return violations;
}

function countOf(events: readonly Event[], type: Event['type']): number {
  return events.filter((event) => event.type === type).length;
}

/**
 * The store ends a run that nobody holds at the wish itself, without a runner that could answer for its open call.
 * Such a log ends in both events at once.
 */
function isEndedByStore(events: readonly Event[]): boolean {
  const [wish, end] = events.slice(-2);
  return wish?.type === 'run.cancel_requested' && end?.type === 'run.cancelled';
}

function checkCalls(events: readonly Event[]): string[] {
  const problems: string[] = [];
  const idsOf = (type: Event['type']) =>
    events
      .filter((event) => event.type === type)
      .map(({ payload }) => `${payload['tool_call_id']} (${payload['request_id']})`);
  const calls = idsOf('tool.call');
  const results = idsOf('tool.result');
  for (const id of new Set([...calls, ...results])) {
    const called = calls.filter((call) => call === id).length;
    const answered = results.filter((result) => result === id).length;
    const isLastOpen = id === calls.at(-1) && answered === 0 && isEndedByStore(events);
    if (called !== 1 || (answered !== 1 && !isLastOpen)) {
      problems.push(`call ${id} is recorded ${called} times and answered ${answered} times`);
    }
  }
  const callIds = calls.map((id) => id.split(' ')[0]);
  if (new Set(callIds).size !== callIds.length) problems.push(`calls made again: ${callIds}`);
  return problems;
}

/** Deltas since the turn was last asked for add up to its text: no delta of a dead attempt is mixed in. */
function checkTexts(events: readonly Event[]): string[] {
  let streamed = '';
  const problems: string[] = [];
  for (const { type, payload, seq } of events) {
    if (type === 'model.requested') streamed = '';
    if (type === 'model.delta') streamed += String(payload['text']);
    if (type === 'model.completed' && payload['text'] !== streamed) {
      problems.push(`streamed ${JSON.stringify(streamed)} before the text at seq ${seq}`);
    }
  }
  return problems;
}

/** What clients were told against what the log says. */
export function checkClientRun(client: ClientRun, { run, events }: StoredRun): string[] {
  const violations: string[] = [];
  const digests = events.map((event) => digestOf(JSON.stringify(encodeEvent(event))));
  for (const reader of client.readers) {
    if (!reader.isDone) violations.push(`${run.id}: a reader has not seen the end`);
    if (reader.events.length !== events.length) {
      violations.push(`${run.id}: a reader got ${reader.events.length} of ${events.length} events`);
    }
    const other = reader.events.find(({ seq, digest }) => digests[seq - 1] !== digest);
    if (other) violations.push(`${run.id}: a reader got another event ${other.seq}`);
  }
  violations.push(...checkCancels(client, { run, events }));
  return violations;
}

function checkCancels(client: ClientRun, { run, events }: StoredRun): string[] {
  const requested = countOf(events, 'run.cancel_requested');
  if (requested > 1) return [`${run.id}: cancel recorded ${requested} times`];
  const violations: string[] = [];
  for (const answer of client.cancels) {
    const said = `${run.id}: cancel answered ${answer.httpStatus} ${answer.status}`;
    if (answer.cancelRequested !== (requested === 1)) {
      violations.push(`${said}, the log has ${requested} requests`);
    }
    // A run that had its answer when the wish came may complete; anything else must stop.
    const mayEndAs = answer.status === 'cancelling' ? ['cancelled', 'completed'] : [answer.status];
    if (!mayEndAs.includes(run.status)) violations.push(`${said}, it ended ${run.status}`);
  }
  return violations;
}
