import * as z from 'zod';
import { toIso } from '../clock.ts';
import type { Event } from '../events/event.ts';
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
