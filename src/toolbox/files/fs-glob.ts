import { setImmediate as nextTick } from 'node:timers/promises';
import * as z from 'zod';
import type { JsonObject } from '../../core/json.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { fileFailed } from './file-errors.ts';
import { createGlob } from './glob.ts';
import { aimAtPaths } from './paths/path-aims.ts';
import { countField, pathField } from './paths/path-field.ts';
import type { PathGuard } from './paths/path-guard.ts';
import { adoptAlias, repairPath, unquoteField } from './repair-arguments.ts';
import { walkFiles } from './walk-files.ts';

const DEFAULT_MAX_RESULTS = 200;
const MAX_RESULTS = 2_000;
const MAX_PATTERN_CHARS = 500;
// Matching is not waiting: in a directory of many names the runtime's other work gets its turn in between.
const MAX_TURN_MS = 10;

const input = z.strictObject({
  pattern: z
    .string({
      error: (issue) =>
        issue.input === undefined ? 'pattern is required' : 'pattern must be a string',
    })
    .min(1, 'pattern must not be empty')
    .max(MAX_PATTERN_CHARS, `pattern must have at most ${MAX_PATTERN_CHARS} characters`)
    .describe(
      'For example src/**/*.{ts,tsx}. * and ? stay within one name, ** is any directories or none, {a,b} is either, ' +
        '[a-z] and [!a-z] are one character. A backslash takes the meaning from the next character: \\[id\\].ts',
    ),
  path: pathField(
    'The directory that the pattern starts from; the workspace when left out.',
  ).optional(),
  max_results: countField('max_results', 1, MAX_RESULTS)
    .describe(`The most paths to return; ${DEFAULT_MAX_RESULTS} when left out.`)
    .optional(),
});

interface Found {
  /** From the workspace, whatever directory the search started from. */
  readonly matches: readonly string[];
  /** Whether a limit ended the search before everything was seen. */
  readonly truncated: boolean;
}

export function createFsGlob(guard: PathGuard): Tool {
  return defineTool<z.infer<typeof input>, Found>({
    name: 'fs.glob',
    description:
      'Find files of the workspace by name. Returns their paths from the workspace, sorted. Hidden files are found ' +
      'too; links, .git and node_modules are passed over. When truncated is true, narrow path or pattern.',
    effect: 'read',
    serves: 'everyone',
    source: 'src/toolbox/files/fs-glob.ts',
    input,
    repair: repairGlob,
    aims: ({ path = '.' }) => aimAtPaths(guard, { field: 'path', path, isTree: true }),
    summarize: ({ pattern }, { matches }) => `found ${matches.length} file(s) for ${pattern}`,

    async execute({ pattern, path = '.', max_results = DEFAULT_MAX_RESULTS }, { signal }) {
      signal.throwIfAborted();
      const glob = createGlob(pattern);
      const { kind, relativePath } = await guard.resolveForRead(path);
      if (kind !== 'directory') throw fileFailed(path, 'not_a_directory', 'is not a directory');
      const start = relativePath === '.' ? 0 : relativePath.length + 1;
      const walk = walkFiles(guard, {
        path,
        signal,
        enters: (directory) => glob.canMatchInside(directory.slice(start)),
      });
      const matches: string[] = [];
      let turnEndsMs = performance.now() + MAX_TURN_MS;
      for await (const file of walk.files) {
        if (glob.matches(file.slice(start))) matches.push(file);
        // One more than asked for tells that there are more.
        if (matches.length > max_results) break;
        if (performance.now() < turnEndsMs) continue;
        await nextTick();
        turnEndsMs = performance.now() + MAX_TURN_MS;
      }
      const truncated = matches.length > max_results || walk.isCut();
      return { matches: matches.slice(0, max_results).sort(), truncated };
    },
  });
}

function repairGlob(raw: JsonObject): JsonObject {
  const named = adoptAlias(raw, 'pattern', ['query', 'glob']);
  return unquoteField(repairPath(named), 'pattern');
}
