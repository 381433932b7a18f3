import * as z from 'zod';
import { isSafePath } from './safe-path.ts';

/** A backup is a gzipped tar file: this header first, then the files, then the manifest. Paths are those of the state root. */
export const HEADER_NAME = 'pincer-backup.json';
export const MANIFEST_NAME = 'pincer-manifest.json';
export const FORMAT = 1;

/** What a backup may hold, and a reader takes on. */
export const MAX_ENTRIES = 200_000;
export const MAX_HEADER_BYTES = 1024 ** 2;
export const MAX_MANIFEST_BYTES = 128 * 1024 ** 2;

const safePath = z.string().refine(isSafePath, 'must be a path inside the state root');

export const archiveHeader = z.strictObject({
  format: z.literal(FORMAT),
  created_at: z.iso.datetime(),
  /** Of the program that wrote it. */
  version: z.string().max(100),
  engine: z.enum(['sqlite', 'postgres']),
  /** Migrations of its database; null without one. */
  schema_version: z.int().nonnegative().nullable(),
  has_secrets: z.boolean(),
  has_workspace: z.boolean(),
  /** Files and folders of the state root that are restored as wholes; none is inside another. */
  places: z.array(safePath).min(1).max(10_000),
  /** The place of the workspace, or null: only there symbolic links may be. */
  workspace: z.string().max(4096).nullable(),
  max_entries: z.int().nonnegative().max(MAX_ENTRIES),
  max_bytes: z.int().nonnegative(),
});

export const archiveManifest = z.strictObject({
  entries: z.array(z.tuple([safePath, z.int().nonnegative(), z.string().max(64)])).max(MAX_ENTRIES),
});

export type ArchiveHeader = z.infer<typeof archiveHeader>;
/** Path, bytes and SHA-256 of what is in it; of a symbolic link, those of where it leads; of a folder 0 and ''. */
export type ManifestEntry = z.infer<typeof archiveManifest>['entries'][number];

export function countFiles(entries: Iterable<ManifestEntry>): number {
  return [...entries].filter(([, , sha256]) => sha256 !== '').length;
}
