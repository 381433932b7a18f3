import { Buffer } from 'node:buffer';
import { TextDecoder } from 'node:util';
import * as z from 'zod';
import { defined } from '../../core/defined.ts';
import type { JsonObject } from '../../core/json.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { patchLines, replaceOnce } from './edit-text.ts';
import { fileFailed } from './file-errors.ts';
import { aimAtPaths } from './paths/path-aims.ts';
import { countField, pathField } from './paths/path-field.ts';
import type { PathGuard } from './paths/path-guard.ts';
import type { WriteTarget } from './paths/write-target.ts';
import { readBytes } from './read-bytes.ts';
import { adoptAlias, repairPath } from './repair-arguments.ts';
import { MAX_TEXT_BYTES } from './text-limit.ts';

const MAX_EDITS = 500;
const MAX_LINE = 10_000_000;
const MODE_MESSAGE = 'give either old and new, or edits, and not both';

const lineEdit = z.strictObject({
  startLine: countField('startLine', 1, MAX_LINE).describe('The first line to replace, from 1.'),
  endLine: countField('endLine', 1, MAX_LINE).describe('The last line to replace, included.'),
  newText: z
    .string({ error: 'newText must be a string' })
    .describe('What stands there instead; an empty string deletes the lines.'),
});

const input = z
  .strictObject({
    path: pathField('The file to edit, relative to the workspace.'),
    old: z
      .string({ error: 'old must be a string' })
      .min(1, 'old must not be empty')
      .describe('The exact text to replace; it must occur exactly once in the file.')
      .optional(),
    new: z
      .string({ error: 'new must be a string' })
      .describe('The text to put in place of old.')
      .optional(),
    edits: z
      .array(lineEdit, { error: 'edits must be an array of {startLine, endLine, newText}' })
      .min(1, 'edits must not be empty')
      .max(MAX_EDITS, `edits must have at most ${MAX_EDITS} items`)
      .describe('Line ranges of the file as it is now; they must not overlap.')
      .optional(),
  })
  .refine(hasOneMode, { error: MODE_MESSAGE });

function hasOneMode(args: { old?: unknown; new?: unknown; edits?: unknown }): boolean {
  const isReplacement = args.old !== undefined && args.new !== undefined;
  const isPartial = (args.old !== undefined) !== (args.new !== undefined);
  return !isPartial && isReplacement !== (args.edits !== undefined);
}

interface Edited {
  readonly path: string;
  readonly updated: true;
  readonly mode: 'replace_once' | 'line_patch';
  /** Only for line_patch. */
  readonly applied_edits?: number;
}

type EditInput = z.infer<typeof input>;

export function createFsEdit(guard: PathGuard): Tool {
  return defineTool<EditInput, Edited>({
    name: 'fs.edit',
    description:
      'Change a part of a text file in the workspace. Either give old and new: old must be copied exactly from the ' +
      'file and occur exactly once. Or give edits: line ranges with their new text. Read the file first.',
    effect: 'write',
    idempotent: false,
    serves: 'everyone',
    source: 'src/toolbox/files/fs-edit.ts',
    input,
    repair: repairEdit,
    aims: ({ path }) => aimAtPaths(guard, { field: 'path', path }),
    summarize: (_, output) => `applied ${output.applied_edits ?? 1} edit(s) to ${output.path}`,

    async execute(args, { signal }) {
      signal.throwIfAborted();
      const target = await guard.openForWrite(args.path);
      try {
        const text = await readText(target, args.path, signal);
        const content = Buffer.from(applyEdit(args, text));
        if (content.length > MAX_TEXT_BYTES) throw tooLarge(args.path);
        // The text was read from `existing`; a file changed since then must not lose that change.
        await target.replace(content, {
          signal,
          ...defined({ ifUnchanged: target.existing }),
        });
      } finally {
        await target.close();
      }
      const done = { path: args.path, updated: true as const };
      if (args.edits === undefined) return { ...done, mode: 'replace_once' };
      return { ...done, mode: 'line_patch', applied_edits: args.edits.length };
    },
  });
}

function applyEdit(args: EditInput, text: string): string {
  if (args.edits !== undefined) return patchLines(text, args.edits);
  return replaceOnce(args.path, text, { old: args.old ?? '', new: args.new ?? '' });
}

async function readText(target: WriteTarget, path: string, signal: AbortSignal): Promise<string> {
  const handle = await target.openExisting();
  try {
    const range = { offset: 0, maxBytes: MAX_TEXT_BYTES, signal };
    const { bytes, hasMore } = await readBytes(handle, range);
    if (hasMore) throw tooLarge(path);
    if (bytes.includes(0)) throw fileFailed(path, 'binary', 'is a binary file, not text');
    return decodeStrictly(bytes, path);
  } finally {
    await handle.close();
  }
}

/** Bytes that are not UTF-8 would be written back as replacement characters, far from the edit. */
function decodeStrictly(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw fileFailed(path, 'not_utf8', 'is not UTF-8 text');
  }
}

function tooLarge(path: string): Error {
  return fileFailed(
    path,
    'too_large',
    `is larger than the ${MAX_TEXT_BYTES} bytes fs.edit handles`,
  );
}

function repairEdit(raw: JsonObject): JsonObject {
  const withOld = adoptAlias(repairPath(raw), 'old', ['find', 'from']);
  return adoptAlias(withOld, 'new', ['replace', 'to', 'newText', 'value']);
}
