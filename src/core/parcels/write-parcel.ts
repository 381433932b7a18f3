import { createHash } from 'node:crypto';
import type { Agent } from '../agents/agent.ts';
import { RuntimeError } from '../errors.ts';
import { canonicalJson } from '../json.ts';
import type { SigningKey } from '../secrets/signing-key.ts';
import { signText } from '../skills/signed-text.ts';
import { createCounter } from './count-rows.ts';
import { encodeAgent } from './encode-rows.ts';
import {
  AGENT_ENTRY,
  FULL_ENTRY_BYTES,
  MANIFEST_ENTRY,
  MAX_ENTRY_BYTES,
  PARCEL_FORMAT,
  PARCEL_VERSION,
  type ParcelEntry,
  type Part,
  SIGNATURE_ENTRY,
  SOUL_ENTRY,
  toEntryName,
} from './parcel-format.ts';
import type { ParcelManifest } from './parcel-shapes.ts';
import { type ReadRowsDeps, readRows } from './read-rows.ts';

export interface WriteParcelDeps extends ReadRowsDeps {
  readonly getKey: () => Promise<SigningKey>;
}

export interface WriteParcel {
  readonly agent: Agent;
  readonly withAudit: boolean;
}

/** Everything of an agent, an entry at a time, what is hashed and signed at the end. */
export async function* writeParcel(
  deps: WriteParcelDeps,
  request: WriteParcel,
): AsyncGenerator<ParcelEntry> {
  const { agent } = request;
  const entries: ParcelManifest['entries'] = [];
  const counter = createCounter();
  const capabilities = await deps.capabilities.list(agent.id);
  const list = (name: string, content: Uint8Array): ParcelEntry => {
    entries.push({ name, bytes: content.length, sha256: sha256(content) });
    return { name, content };
  };
  yield list(AGENT_ENTRY, toDocument(encodeAgent(agent, capabilities, deps.redactor)));
  yield list(SOUL_ENTRY, Buffer.from(deps.redactor.redactText(agent.instructions)));
  for (const { part, rows } of readRows(deps, request, counter.count)) {
    for await (const { name, content } of fillEntries(part, rows)) yield list(name, content);
  }
  const manifest: ParcelManifest = {
    format: PARCEL_FORMAT,
    version: PARCEL_VERSION,
    agent: { id: agent.id, slug: agent.slug, name: deps.redactor.redactText(agent.name) },
    counts: counter.counts(),
    entries,
  };
  yield { name: MANIFEST_ENTRY, content: toDocument(manifest) };
  const signature = signText(canonicalJson(manifest), await deps.getKey());
  yield { name: SIGNATURE_ENTRY, content: toDocument(signature) };
}

/** Lines, as many as fit. No more than one entry is in memory. */
async function* fillEntries(part: Part, rows: AsyncIterable<object>): AsyncGenerator<ParcelEntry> {
  let lines: Buffer[] = [];
  let bytes = 0;
  let number = 0;
  const close = (): ParcelEntry => {
    number += 1;
    const content = Buffer.concat(lines);
    lines = [];
    bytes = 0;
    return { name: toEntryName(part, number), content };
  };
  for await (const row of rows) {
    const line = toDocument(row);
    if (line.length > MAX_ENTRY_BYTES) throw tooLong(part, line.length);
    if (bytes > 0 && bytes + line.length > FULL_ENTRY_BYTES) yield close();
    lines.push(line);
    bytes += line.length;
  }
  if (bytes > 0) yield close();
}

/** Equal values are equal bytes. */
export function toDocument(value: object): Buffer {
  return Buffer.from(`${canonicalJson(value)}\n`);
}

export function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function tooLong(part: Part, bytes: number): RuntimeError {
  return new RuntimeError(
    'payload_too_large',
    `one of the agent's ${part} has ${bytes} bytes; a parcel takes at most ${MAX_ENTRY_BYTES}`,
  );
}
