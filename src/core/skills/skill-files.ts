import * as z from 'zod';

/** The folders of a skill beside its SKILL.md, in the order of the Agent Skills format. */
export const SKILL_DIRECTORIES = ['scripts', 'references', 'assets'] as const;
/** A file of a skill. Its path is relative to its folder. */
export interface SkillFile {
  readonly path: string;
  readonly content: string;
  /** Text when left out. */
  readonly encoding?: 'utf8' | 'base64' | undefined;
}

export const MAX_FILES_PER_DIRECTORY = 100;
const MAX_FILE_CHARS = 256 * 1024;
const MAX_PATH_CHARS = 200;
const MAX_SEGMENTS = 8;

/** Lower-cased on purpose: these are names that some system can't make, wherever the bundle was written. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/;
const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9 ._-]*$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A path that means the same file, inside its folder, on every system. */
export function isSafePath(path: string): boolean {
  if (path.length === 0 || path.length > MAX_PATH_CHARS) return false;
  const segments = path.split('/');
  return segments.length <= MAX_SEGMENTS && segments.every(isSafeSegment);
}

function isSafeSegment(segment: string): boolean {
  return SEGMENT.test(segment) && !/[. ]$/.test(segment) && !RESERVED.test(segment.toLowerCase());
}

const file = z
  .looseObject({
    path: z.string().refine(isSafePath, {
      error:
        'must be a relative path of plain names: letters, digits, spaces, dots, dashes, underscores; no ..',
    }),
    content: z.string().max(MAX_FILE_CHARS),
    encoding: z.enum(['utf8', 'base64']).optional(),
  })
  .refine(({ content, encoding }) => encoding !== 'base64' || BASE64.test(content), {
    path: ['content'],
    error: 'must be base64',
  });

export const skillFiles = z
  .array(file)
  .max(MAX_FILES_PER_DIRECTORY)
  .refine(arePathsApart, { error: 'must not name a path twice, nor a file inside a file' });

/** Some file systems do not tell upper from lower case. */
function arePathsApart(files: readonly { readonly path: string }[]): boolean {
  const paths = files.map(({ path }) => path.toLowerCase()).sort();
  const known = new Set(paths);
  if (known.size < paths.length) return false;
  return paths.every((path) => {
    const segments = path.split('/');
    return segments.every((_, at) => at === 0 || !known.has(segments.slice(0, at).join('/')));
  });
}
