import { toIso } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import type { Event } from '../../core/events/event.ts';
import type { AgentId, RunId } from '../../core/ids.ts';
import type { SignatureReport } from '../../core/records/audit-reader.ts';
import type { EntryFilter, EntryPage } from '../../core/records/list-entries.ts';
import type { AuditFault, AuditVerdict } from '../../core/records/verify-audit.ts';
import { decodeCursor, encodeNext } from '../cursor.ts';
import { decodeTypes } from '../events/event-codec.ts';
import { decodeMoment } from '../moment.ts';
import type { AuditVerdictShape, EntryPageShape, EntryQueryShape } from './audit-shapes.ts';

/** In the document; the counts are whole. */
export const MAX_SHOWN_FAULTS = 100;

/** What a check of the records found, for the command line and for HTTP alike; only HTTP has no time for all of it. */
export function encodeAuditVerdict(verdict: AuditVerdict): Omit<AuditVerdictShape, 'complete'> {
  const { log, files, pendingRuns, faults, signatures } = verdict;
  return {
    verified: faults.length === 0 && isComplete(verdict),
    runs_count: log.runs,
    pruned_runs_count: log.prunedRuns,
    events_count: log.events,
    audit_files_count: files.files,
    audit_lines_count: files.lines,
    pending_runs_count: pendingRuns,
    accepted_losses_count: files.acceptedLosses,
    signatures: signatures === undefined ? null : encodeSignatures(signatures),
    node_id: verdict.node ?? null,
    held_elsewhere: [...verdict.elsewhere].map(([node_id, runs_count]) => ({
      node_id,
      runs_count,
    })),
    faults_count: faults.length,
    first_fault: faults[0] === undefined ? null : encodeFault(faults[0]),
    faults: faults.slice(0, MAX_SHOWN_FAULTS).map(encodeFault),
  };
}

/** The same with what only HTTP has to say. */
export function encodeVerification(verdict: AuditVerdict): AuditVerdictShape {
  return { ...encodeAuditVerdict(verdict), complete: isComplete(verdict) };
}

function isComplete({ log, files }: AuditVerdict): boolean {
  return log.isComplete && files.isComplete;
}

function encodeSignatures(report: SignatureReport) {
  const { heads, signedLines, unsignedLines, signedThroughMs, keyIds } = report;
  return {
    heads_count: heads,
    signed_lines_count: signedLines,
    unsigned_lines_count: unsignedLines,
    signed_through: signedThroughMs === undefined ? null : toIso(signedThroughMs),
    fingerprints: [...keyIds],
  };
}

function encodeFault({ where, runId, seq, reason, file, line }: AuditFault) {
  return {
    where,
    run_id: runId ?? null,
    seq: seq ?? null,
    reason,
    file: file ?? null,
    line: line ?? null,
  };
}

export function decodeEntryFilter(query: EntryQueryShape): EntryFilter {
  const { since, until, types, agent_id, run_id, q } = query;
  return {
    types: [...decodeTypes({ types })],
    ...defined({
      sinceMs: decodeMoment(since),
      untilMs: decodeMoment(until),
      agentId: agent_id as AgentId | undefined,
      runId: run_id as RunId | undefined,
      text: q,
    }),
  };
}

/** What an engine calls a place; it looks at it itself. */
export function decodePlace(cursor: string): string {
  return decodeCursor(cursor, (place) => /^[\w.-]+$/.test(place));
}

export function encodeEntryPage({ events, next }: EntryPage): EntryPageShape {
  return { entries: events.map(encodeEntry), next_cursor: encodeNext(next) };
}

function encodeEntry(event: Event): EntryPageShape['entries'][number] {
  return {
    event_id: event.id,
    event_type: event.type,
    ts: toIso(event.atMs),
    run_id: event.runId,
    agent_id: event.agentId,
    actor: event.actor,
    seq: event.seq,
    payload: { ...event.payload },
    redactions: [...event.redactions],
    prev_hash: event.prevHash,
    hash: event.hash,
  };
}

const UTF8 = new TextEncoder();

/** An entry's members have the order of an audit line. */
export function encodeLines(events: readonly Event[]): Uint8Array {
  return UTF8.encode(events.map((event) => `${JSON.stringify(encodeEntry(event))}\n`).join(''));
}
