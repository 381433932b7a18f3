import type { Entry } from 'tar-stream';
import { RuntimeError } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json.ts';
import { damagedArchive } from './archive-faults.ts';
import {
  type ArchiveHeader,
  archiveHeader,
  archiveManifest,
  FORMAT,
  MAX_HEADER_BYTES,
  MAX_MANIFEST_BYTES,
  type ManifestEntry,
} from './archive-shapes.ts';

export async function parseHeader(entry: Entry, file: string): Promise<ArchiveHeader> {
  const value = await readJson(entry, file, MAX_HEADER_BYTES);
  if (isJsonObject(value) && typeof value['format'] === 'number' && value['format'] > FORMAT) {
    throw new RuntimeError('conflict', `${file} was written by a newer claw`, {
      details: { fix: 'upgrade claw, then restore it' },
    });
  }
  const parsed = archiveHeader.safeParse(value);
  if (parsed.success) return parsed.data;
  throw damagedArchive(file, 'has a header that can not be read', parsed.error);
}

export async function parseManifest(
  entry: Entry,
  file: string,
): Promise<{ readonly entries: readonly ManifestEntry[] }> {
  const parsed = archiveManifest.safeParse(await readJson(entry, file, MAX_MANIFEST_BYTES));
  if (parsed.success) return parsed.data;
  throw damagedArchive(file, 'has a manifest that can not be read', parsed.error);
}

async function readJson(entry: Entry, file: string, maxBytes: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of entry) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw damagedArchive(file, 'has a header that is too long');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (cause) {
    throw damagedArchive(file, 'has a header that is no JSON', cause);
  }
}
