import { createHash } from 'node:crypto';
import * as z from 'zod';
import { toIso } from '../clock.ts';
import { CHAIN_ROOT } from '../events/hash-chain.ts';
import type { SigningKey } from '../secrets/signing-key.ts';

/**
 * A line of an audit file that signs the lines before it, back to the head before. It names that head and counts all
 * lines so far, so that nothing can be taken out, put in or cut off without a gap that the next head shows.
 */
export interface AuditHead {
  readonly atMs: number;
  readonly agentId: string;
  /** The node that wrote it; undefined where it is the only one. */
  readonly node: string | undefined;
  /** The name that the file had when it was written. */
  readonly file: string;
  /** Of the heads of its file, from 1. */
  readonly number: number;
  /** Lines that it signs. */
  readonly lines: number;
  /** Lines of the file so far. */
  readonly fileLines: number;
  /** The same with those of the files before. */
  readonly total: number;
  /** SHA-256 of the lines that it signs, each with its line break. */
  readonly digest: string;
  /** The hash of the head before it in the file. */
  readonly prevHead: string;
  /** Where the agent's file before this one ended when this one began. */
  readonly before: FileEnd | undefined;
  /** `rotation`: the next file follows. `stop`: its writer ended in order. `export`: the lines of one run. */
  readonly reason: HeadReason;
  readonly publicKey: string;
}

export type HeadReason = 'interval' | 'rotation' | 'stop' | 'export';

export interface FileEnd {
  readonly file: string;
  /** The hash of its last head. */
  readonly head: string;
  readonly total: number;
}

export interface SignedHead extends AuditHead {
  /** SHA-256 of the line, without its line break. */
  readonly hash: string;
  readonly signedText: string;
  readonly signature: string;
}

/** How every head begins; no event does. */
export const HEAD_PREFIX = '{"event_type":"audit.head",';
/** Of the heads of a file, the first has this before it. */
export const FIRST_HEAD = CHAIN_ROOT;
const SIGNATURE_MARK = ',"signature":"';

/** One line without its line break. The signature is its last member and is over all the text before it. */
export function encodeHead(head: Omit<AuditHead, 'publicKey'>, key: SigningKey): string {
  const signed = JSON.stringify({
    event_type: 'audit.head',
    version: 1,
    ts: toIso(head.atMs),
    agent_id: head.agentId,
    node_id: head.node ?? null,
    file: head.file,
    head: head.number,
    lines: head.lines,
    file_lines: head.fileLines,
    total: head.total,
    digest: head.digest,
    prev_head: head.prevHead,
    before: head.before ?? null,
    reason: head.reason,
    public_key: key.publicKey,
  }).slice(0, -1);
  return `${signed}${SIGNATURE_MARK}${key.sign(signed)}"}`;
}

const count = z.int().nonnegative();
const headLine = z.object({
  version: z.literal(1),
  ts: z.iso.datetime(),
  agent_id: z.string(),
  node_id: z.string().nullable(),
  file: z.string(),
  head: z.int().positive(),
  lines: count,
  file_lines: count,
  total: count,
  digest: z.string(),
  prev_head: z.string(),
  before: z.object({ file: z.string(), head: z.string(), total: count }).nullable(),
  reason: z.enum(['interval', 'rotation', 'stop', 'export']),
  public_key: z.string(),
  signature: z.string(),
});

/** Undefined when the line is no whole head. Whether its signature is good is another question. */
export function decodeHead(text: string): SignedHead | undefined {
  if (!text.startsWith(HEAD_PREFIX)) return undefined;
  const line = headLine.safeParse(parseJson(text)).data;
  if (line === undefined) return undefined;
  // Nothing may stand behind the signature: it would be read, and not be signed.
  const end = `${SIGNATURE_MARK}${line.signature}"}`;
  return {
    atMs: Date.parse(line.ts),
    agentId: line.agent_id,
    node: line.node_id ?? undefined,
    file: line.file,
    number: line.head,
    lines: line.lines,
    fileLines: line.file_lines,
    total: line.total,
    digest: line.digest,
    prevHead: line.prev_head,
    before: line.before ?? undefined,
    reason: line.reason,
    publicKey: line.public_key,
    hash: hashHead(text),
    signedText: text.endsWith(end) ? text.slice(0, -end.length) : '',
    signature: line.signature,
  };
}

export function hashHead(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
