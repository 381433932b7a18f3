import { Buffer } from 'node:buffer';
import { isAbsolute, normalize, sep } from 'node:path';
import { isInside } from '../../../platform/is-inside.ts';
import { inputInvalid, pathDenied, showPath } from '../file-errors.ts';

/** Directories that hold the runtime's own state, wherever they lie. */
const RESERVED_NAMES = new Set(['.openclawssy', '.claw']);

/** Files that steer an agent: readable, but only the operator changes them. */
const CONTROL_FILES = new Set([
  'soul.md',
  'rules.md',
  'tools.md',
  'handoff.md',
  'devplan.md',
  'specplan.md',
]);

// Linux's PATH_MAX and NAME_MAX; the smallest common ground of the file systems we run on.
const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;

/**
 * The form under which file systems may treat two names as one: case, compatibility forms, characters
 * that HFS+ ignores, and the trailing dots and spaces that Windows drops.
 */
function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
    .toLowerCase()
    .replace(/[. ]+$/, '');
}

export function isReservedName(name: string): boolean {
  return name.split('\\').some((part) => RESERVED_NAMES.has(foldName(part)));
}

/** Where git looks for settings and hooks, which name programs that it runs; `git~1` is the same on Windows disks. */
export function isGitName(name: string): boolean {
  return name.split('\\').some((part) => /^(?:\.git|git~\d+)$/.test(foldName(part)));
}

export function isControlFile(name: string): boolean {
  return CONTROL_FILES.has(foldName(name.split('\\').at(-1) ?? name));
}

export interface Roots {
  /** The workspace as it was configured. */
  readonly given: string;
  /** The workspace with every link resolved. */
  readonly real: string;
}

/** Distrusts a path from outside and gives its segments relative to the workspace. Touches no disk. */
export function parsePath(path: string, roots: Roots): readonly string[] {
  assertPlain(path);
  if (isAbsolute(path)) {
    const segments = segmentsInside(path, roots);
    if (segments === undefined) {
      throw pathDenied(path, path.split('/').includes('..') ? 'traversal' : 'outside_workspace');
    }
    return path.endsWith('/') ? [...segments, '.'] : segments;
  }
  const segments = splitSegments(path);
  assertStaysInside(path, segments);
  // A trailing slash asks for a directory; the dot keeps that meaning after splitting.
  return path.endsWith('/') ? [...segments, '.'] : segments;
}

/** Segments of an absolute path below the workspace, or undefined when it is elsewhere. */
export function segmentsInside(path: string, roots: Roots): readonly string[] | undefined {
  const clean = normalize(path);
  for (const root of [roots.real, roots.given]) {
    if (isInside(root, clean)) return splitSegments(clean.slice(root.length));
  }
  return undefined;
}

export function splitSegments(path: string): readonly string[] {
  return path.split(sep === '/' ? '/' : /[/\\]/).filter((segment) => segment !== '');
}

function assertPlain(path: string): void {
  if (path.trim() === '') throw pathDenied(path, 'empty_path');
  if (path.includes('\0')) throw pathDenied(path, 'nul_byte');
  if (/^(?:\\\\|\/\/)/.test(path)) throw pathDenied(path, 'unc_path');
  if (sep === '/' && /^[A-Za-z]:/.test(path)) throw pathDenied(path, 'drive_path');
  const parts = path.split('/');
  if (
    Buffer.byteLength(path) > MAX_PATH_BYTES ||
    parts.some((part) => Buffer.byteLength(part) > MAX_NAME_BYTES)
  ) {
    throw inputInvalid('path', `path is too long: ${showPath(path)}`);
  }
  // Here a backslash is part of a name, elsewhere it separates: a name that would leave there is refused here too.
  if (parts.some((part) => part !== '..' && part.split('\\').includes('..'))) {
    throw pathDenied(path, 'traversal');
  }
  if (parts.some(isReservedName)) throw pathDenied(path, 'reserved_path');
}

/** Checked before the disk is: `missing/../../etc` is an attempt to leave, not a missing directory. */
function assertStaysInside(path: string, segments: readonly string[]): void {
  let depth = 0;
  for (const segment of segments) {
    if (segment === '.') continue;
    depth += segment === '..' ? -1 : 1;
    if (depth < 0) throw pathDenied(path, 'traversal');
  }
}
