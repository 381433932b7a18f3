import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack as createPack, type Headers } from 'tar-stream';

/** Something in a tar file, as an attacker may put it there. */
export interface Planted {
  readonly name: string;
  readonly content?: string;
  readonly type?: Headers['type'];
  readonly linkname?: string;
}

export interface PlantedArchive {
  readonly header?: object;
  readonly entries: readonly Planted[];
  /** What the manifest says; what is there when absent. */
  readonly manifest?: unknown;
  /** Behind the manifest. */
  readonly behind?: readonly Planted[];
  readonly hasManifest?: boolean;
}

const HEADER = {
  format: 1,
  created_at: '2026-06-01T12:00:00.000Z',
  version: '0.1.0',
  engine: 'postgres',
  schema_version: null,
  has_secrets: false,
  has_workspace: true,
  places: ['.openclawssy', 'workspace'],
  workspace: 'workspace',
  max_entries: 100,
  max_bytes: 1_000_000,
};

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A file like those of `claw backup`, with anything in it. */
export async function makeArchive(file: string, archive: PlantedArchive): Promise<void> {
  const { header = {}, entries, behind = [], hasManifest = true } = archive;
  const manifest = archive.manifest ?? {
    entries: entries.map(({ name, content = '', type = 'file', linkname = '' }) => {
      if (type === 'directory') return [name, 0, ''];
      return type === 'symlink'
        ? [name, 0, sha256(linkname)]
        : [name, content.length, sha256(content)];
    }),
  };
  const pack = createPack();
  const written = pipeline(pack, createGzip(), createWriteStream(file));
  pack.entry({ name: 'pincer-backup.json' }, JSON.stringify({ ...HEADER, ...header }));
  for (const { name, content = '', type = 'file', linkname } of [...entries]) {
    pack.entry({ name, type, linkname: linkname ?? null }, content);
  }
  if (hasManifest) pack.entry({ name: 'pincer-manifest.json' }, JSON.stringify(manifest));
  for (const { name, content = '' } of behind) pack.entry({ name }, content);
  pack.finalize();
  await written;
}
