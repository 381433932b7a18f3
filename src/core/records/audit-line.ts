import * as z from 'zod';
import { toIso } from '../clock.ts';
import type { Event } from '../events/event.ts';
import { type ChainLink, hashEvent, hashLink } from '../events/hash-chain.ts';
import type { AuditText } from './record-sink.ts';

/**
 * An event as one line of an audit file. `prev_hash` and `hash` let the files be checked without the database. The
 * order of the members is part of the format: readers that look for a run's lines rely on `run_id` before `payload`.
 */
export function encodeAuditLine(event: Event): AuditText {
  const json = JSON.stringify({
    event_id: event.id,
    event_type: event.type,
    ts: toIso(event.atMs),
    run_id: event.runId,
    agent_id: event.agentId,
    actor: event.actor,
    seq: event.seq,
    payload: event.payload,
    redactions: event.redactions,
    prev_hash: event.prevHash,
    hash: event.hash,
  });
  return { atMs: event.atMs, json };
}

const auditLine = z.object({
  event_id: z.string(),
  event_type: z.string(),
  ts: z.iso.datetime(),
  run_id: z.string(),
  agent_id: z.string(),
  actor: z.string(),
  seq: z.int().positive(),
  payload: z.record(z.string(), z.unknown()),
  redactions: z.array(z.string()),
  prev_hash: z.string(),
  hash: z.string(),
});

/** The event a line holds, or undefined when it is no audit line: torn, or not ours. */
export function decodeAuditLine(text: string): Event | undefined {
  const line = auditLine.safeParse(parseJson(text)).data;
  if (line === undefined) return undefined;
  const event = {
    id: line.event_id,
    runId: line.run_id,
    agentId: line.agent_id,
    seq: line.seq,
    type: line.event_type,
    atMs: Date.parse(line.ts),
    actor: line.actor,
    payload: line.payload,
    redactions: line.redactions,
    prevHash: line.prev_hash,
    hash: line.hash,
  };
  // A line of a newer version may name a type or an actor this one does not know; its hash can still be checked.
  return event as unknown as Event;
}

/** What a line says of its place in the chain of its run. */
export interface AuditedEvent
  extends Pick<Event, 'id' | 'runId' | 'agentId' | 'seq' | 'type' | 'prevHash' | 'hash'> {
  /** It fits its own hash. */
  readonly isWhole: boolean;
}

const LINE_START =
  /^\{"event_id":"([\w.:-]*)","event_type":"([\w.:-]*)","ts":"([\w.:-]*)","run_id":"([\w.:-]*)","agent_id":"([\w.:-]*)","actor":"([\w.:-]*)","seq":(\d{1,15}),"payload":/;
const LINE_END = /^(\[.*\]),"prev_hash":"([\w.:-]*)","hash":"([\w.:-]*)"\}$/;
const REDACTIONS_MARK = ',"redactions":';

/**
 * Reads a line as far as a check needs it. A line as we write it holds the text that was hashed, so it need not be
 * parsed and put together again, which costs twice as much as the hash. One that does not fit that way is decoded: it
 * decides nothing that decoding would decide otherwise.
 */
export function readAuditedEvent(text: string): AuditedEvent | undefined {
  const link = findLink(text);
  if (link !== undefined && hashLink(link) === link.hash) return toAudited(link, true);
  const event = decodeAuditLine(text);
  return event && toAudited(event, hashEvent(event) === event.hash);
}

function findLink(text: string): (ChainLink & { readonly hash: string }) | undefined {
  const start = LINE_START.exec(text);
  const cut = text.lastIndexOf(REDACTIONS_MARK);
  if (start === null || cut < start[0].length) return undefined;
  const end = LINE_END.exec(text.slice(cut + REDACTIONS_MARK.length));
  if (end === null) return undefined;
  const [, id = '', type = '', ts = '', runId = '', agentId = '', actor = '', seq = ''] = start;
  const [, redactions = '', prevHash = '', hash = ''] = end;
  const payload = text.slice(start[0].length, cut);
  const atMs = Date.parse(ts);
  return { id, type, atMs, runId, agentId, actor, seq: +seq, payload, redactions, prevHash, hash };
}

function toAudited(
  link: Omit<ChainLink, 'payload' | 'redactions'> & { hash: string },
  isWhole: boolean,
) {
  const { id, runId, agentId, seq, type, prevHash, hash } = link;
  // Read from a file: it may name a type that this version does not know.
  return { id, runId, agentId, seq, type, prevHash, hash, isWhole } as unknown as AuditedEvent;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
