import * as z from 'zod';
import type { JsonObject } from '../../core/json.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { inputInvalid } from './file-errors.ts';
import { type LineMatcher, openLineMatcher } from './line-matcher.ts';
import { aimAtPaths } from './paths/path-aims.ts';
import { countField, pathField } from './paths/path-field.ts';
import type { PathGuard } from './paths/path-guard.ts';
import { readBytes } from './read-bytes.ts';
import { adoptAlias, repairPath } from './repair-arguments.ts';
import { unlessUnusable, walkFiles } from './walk-files.ts';

const DEFAULT_MAX_FILES = 2_000;
const DEFAULT_MAX_FILE_BYTES = 512 * 1024;
const DEFAULT_MAX_MATCHES = 200;
const MAX_PATTERN_CHARS = 1_000;
const MAX_LINE_CHARS = 400;
const MATCH_TIMEOUT_MS = 2_000;
const MAX_SUMMARY_CHARS = 180;

const input = z.strictObject({
  pattern: z
    .string({
      error: (issue) =>
        issue.input === undefined ? 'pattern is required' : 'pattern must be a string',
    })
    .min(1, 'pattern must not be empty')
    .max(MAX_PATTERN_CHARS, `pattern must have at most ${MAX_PATTERN_CHARS} characters`)
    .describe('A JavaScript regular expression, matched line by line. (?i) in front ignores case.'),
  path: pathField(
    'Where to search: a directory or one file; the whole workspace when left out.',
  ).optional(),
  max_files: countField('max_files', 1, 20_000)
    .describe(`The most files to look into; ${DEFAULT_MAX_FILES} when left out.`)
    .optional(),
  max_file_bytes: countField('max_file_bytes', 1, 4 * 1024 * 1024)
    .describe(`Larger files are passed over; ${DEFAULT_MAX_FILE_BYTES} when left out.`)
    .optional(),
  max_matches: countField('max_matches', 1, 2_000)
    .describe(`The most matching lines to return; ${DEFAULT_MAX_MATCHES} when left out.`)
    .optional(),
});

interface SearchMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

interface SearchResult {
  readonly matches: readonly SearchMatch[];
  readonly files_searched: number;
  /** Whether a limit ended the search before everything was seen. */
  readonly truncated: boolean;
}

export function createCodeSearch(guard: PathGuard): Tool {
  return defineTool<z.infer<typeof input>, SearchResult>({
    name: 'code.search',
    description:
      'Search the text files of the workspace for a regular expression. Returns path, line number and text of each ' +
      'matching line. Passes over .git, node_modules, binary files and links. When truncated is true, narrow path ' +
      'or pattern.',
    effect: 'read',
    serves: 'everyone',
    source: 'src/toolbox/files/code-search.ts',
    input,
    repair: repairSearch,
    aims: ({ path = '.' }) => aimAtPaths(guard, { field: 'path', path, isTree: true }),
    summarize: (_, result) => JSON.stringify(result).slice(0, MAX_SUMMARY_CHARS),

    async execute(args, { signal }) {
      signal.throwIfAborted();
      const matcher = await openLineMatcher({
        pattern: parsePattern(args.pattern),
        timeoutMs: MATCH_TIMEOUT_MS,
        maxLineChars: MAX_LINE_CHARS,
        signal,
      });
      try {
        return await search(guard, matcher, {
          path: args.path ?? '.',
          maxFiles: args.max_files ?? DEFAULT_MAX_FILES,
          maxFileBytes: args.max_file_bytes ?? DEFAULT_MAX_FILE_BYTES,
          maxMatches: args.max_matches ?? DEFAULT_MAX_MATCHES,
          signal,
        });
      } finally {
        await matcher.close();
      }
    },
  });
}

interface SearchBounds {
  readonly path: string;
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly maxMatches: number;
  readonly signal: AbortSignal;
}

async function search(
  guard: PathGuard,
  matcher: LineMatcher,
  bounds: SearchBounds,
): Promise<SearchResult> {
  const matches: SearchMatch[] = [];
  let searched = 0;
  const walk = walkFiles(guard, { path: bounds.path, signal: bounds.signal });
  for await (const path of walk.files) {
    if (searched === bounds.maxFiles) return { matches, files_searched: searched, truncated: true };
    const bytes = await readSmallFile(guard, path, bounds);
    if (bytes === undefined) continue;
    searched += 1;
    const maxMatches = bounds.maxMatches - matches.length;
    const found = await matcher.match({ path, bytes, maxMatches });
    matches.push(...found.matches.map(({ line, text }) => ({ path, line, text })));
    if (found.hasMore) return { matches, files_searched: searched, truncated: true };
  }
  return { matches, files_searched: searched, truncated: walk.isCut() };
}

/** Undefined for a file that is too large, or gone since it was listed. */
async function readSmallFile(
  guard: PathGuard,
  path: string,
  { maxFileBytes, signal }: SearchBounds,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = await unlessUnusable(guard.openForRead(path));
  if (file === undefined) return undefined;
  try {
    if (file.sizeBytes > maxFileBytes) return undefined;
    const read = await readBytes(file.handle, { offset: 0, maxBytes: maxFileBytes, signal });
    // A copy of its own: the buffer is handed to a thread, and small ones share memory.
    return read.hasMore ? undefined : new Uint8Array(read.bytes);
  } finally {
    await file.handle.close();
  }
}

/** Accepts the leading flag group of other dialects, such as `(?i)`, which JavaScript has no syntax for. */
function parsePattern(pattern: string): RegExp {
  const [group = '', letters = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const source = pattern.slice(group.length);
  const flags = [...new Set(letters)].join('');
  try {
    return compile(source, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown reason';
    throw inputInvalid('pattern', `pattern is not a valid regular expression: ${reason}`);
  }
}

/** By code points where the stricter syntax allows it, so that `.` is a character and `\p{…}` works. */
function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return new RegExp(source, flags);
  }
}

function repairSearch(raw: JsonObject): JsonObject {
  return repairPath(adoptAlias(raw, 'pattern', ['query']));
}
