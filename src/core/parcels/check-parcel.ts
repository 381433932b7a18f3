import type { z } from 'zod';
import { canonicalJson } from '../json.ts';
import { findSignatureFlaw } from '../skills/signed-text.ts';
import type { ReceivedParcel } from './parcel-container.ts';
import { unfit } from './parcel-faults.ts';
import {
  MANIFEST_ENTRY,
  PARCEL_VERSION,
  type ParcelEntry,
  SIGNATURE_ENTRY,
} from './parcel-format.ts';
import {
  type ParcelManifest,
  type ParcelSignature,
  parcelManifest,
  parcelSignature,
} from './parcel-shapes.ts';
import { sha256, toDocument } from './write-parcel.ts';

/** A parcel that is, byte for byte, what somebody signed. Who that is, and whether it may come in, are other questions. */
export interface CheckedParcel {
  readonly manifest: ParcelManifest;
  readonly signature: ParcelSignature;
  /** Of the manifest, and by that of everything. */
  readonly digest: string;
}

/** Reads all of it, and believes nothing of it before its end. */
export async function checkParcel(received: ReceivedParcel): Promise<CheckedParcel> {
  const found: ParcelManifest['entries'] = [];
  let manifest: ParcelManifest | undefined;
  let signature: ParcelSignature | undefined;
  for await (const entry of received.entries()) {
    if (entry.name === MANIFEST_ENTRY) manifest = parseManifest(entry);
    else if (entry.name === SIGNATURE_ENTRY) signature = parseDocument(entry, parcelSignature);
    else {
      const { name, content } = entry;
      found.push({ name, bytes: content.length, sha256: sha256(content) });
    }
  }
  if (!manifest || !signature) throw unfit('its end is missing');
  const text = canonicalJson(manifest);
  const flaw = findSignatureFlaw(text, signature);
  if (flaw !== undefined) throw unfit(`it was altered: ${flaw}`);
  assertSame(found, manifest.entries);
  return { manifest, signature, digest: sha256(Buffer.from(text)) };
}

function assertSame(found: ParcelManifest['entries'], listed: ParcelManifest['entries']): void {
  const differs = found.find(
    (entry, index) => canonicalJson(entry) !== canonicalJson(listed[index]),
  );
  if (differs) throw unfit(`it was altered: ${differs.name} is not as its manifest says`);
  const missing = listed[found.length];
  if (missing) throw unfit(`it was altered: ${missing.name} is missing`);
}

function parseManifest(entry: ParcelEntry): ParcelManifest {
  const version = readVersion(entry);
  if (version > PARCEL_VERSION) {
    throw unfit(
      `it has version ${version}, and this program reads up to ${PARCEL_VERSION}: update it`,
    );
  }
  return parseDocument(entry, parcelManifest);
}

/** A newer one may say things that the shape of this one refuses. */
function readVersion(entry: ParcelEntry): number {
  const document = parseJson(entry.content);
  const version = (document as { readonly version?: unknown } | null | undefined)?.version;
  return typeof version === 'number' ? version : 0;
}

/** One value has one text: another one was written by somebody else. */
export function parseDocument<Shape extends z.ZodType>(
  { name, content }: ParcelEntry,
  shape: Shape,
): z.output<Shape> {
  const parsed = shape.safeParse(parseJson(content));
  if (!parsed.success) throw misshapen(name, parsed.error);
  if (toDocument(parsed.data as object).equals(content)) return parsed.data;
  throw unfit(`${name} is not written as a parcel's is`);
}

export function misshapen(place: string, { issues }: z.ZodError): Error {
  const [issue] = issues;
  const path = issue === undefined || issue.path.length === 0 ? '' : ` ${issue.path.join('.')}`;
  return unfit(`${place}:${path} ${issue?.message ?? 'is not as it should be'}`);
}

/** Deeper than anything that is exported: what walks over values must not run out of stack. */
const MAX_DEPTH = 64;

/** Undefined for what is no JSON, or is made to do harm. */
export function parseJson(content: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
    return isHarmless(value, MAX_DEPTH) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isHarmless(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0 || Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every((member) => isHarmless(member, depth - 1));
}
