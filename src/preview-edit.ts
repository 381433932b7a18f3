import { findWorkspaceDir } from './config/state-root/find-workspace-dir.ts';
import { toStatePaths } from './config/state-root/state-paths.ts';
import type { EditPreview } from './core/approvals/proposed-change.ts';
import { isJsonObject, type JsonObject } from './core/json.ts';
import type { PreviewRequest } from './surfaces/cli/program/context.ts';
import { type LineEdit, patchLines, replaceOnce } from './toolbox/files/edit-text.ts';
import { createPathGuard, type PathGuard } from './toolbox/files/paths/path-guard.ts';
import { readBytes } from './toolbox/files/read-bytes.ts';

/** Larger files are not shown before they are changed. */
const MAX_BYTES = 1024 * 1024;

type Change = (input: JsonObject, path: string, before: string | undefined) => string | undefined;

const CHANGES: Readonly<Record<string, Change>> = {
  'fs.write': ({ content }) => String(content),
  'fs.append': ({ content }, _path, before = '') => before + String(content),
  'fs.delete': () => undefined,
  'fs.edit': (input, path, before = '') =>
    Array.isArray(input['edits'])
      ? patchLines(before, input['edits'] as unknown as LineEdit[])
      : replaceOnce(path, before, { old: String(input['old']), new: String(input['new']) }),
};

/** Looks through the guard of the tools, so that a question shows nothing that the call could not reach itself. */
export async function previewEdit(request: PreviewRequest): Promise<EditPreview | undefined> {
  const { root, tool, input } = request;
  const change = Object.hasOwn(CHANGES, tool) ? CHANGES[tool] : undefined;
  if (change === undefined || !isJsonObject(input)) return undefined;
  const { path } = input;
  if (typeof path !== 'string') return undefined;
  try {
    const guard = createPathGuard({
      root: request.workspaceDir ?? (await findWorkspaceDir(root)),
      reserved: [toStatePaths(root).stateDir],
    });
    const before = await readText(guard, path);
    return { path, before, after: change(input, path, before) };
  } catch {
    // A folder, a binary file, an edit that does not fit: the arguments are shown as they are.
    return undefined;
  }
}

/** Undefined when there is no such file. Throws for what is no text. */
async function readText(guard: PathGuard, path: string): Promise<string | undefined> {
  const { kind } = await guard.resolveForWrite(path);
  if (kind === 'missing') return undefined;
  const { handle } = await guard.openForRead(path);
  try {
    const signal = new AbortController().signal;
    const { bytes, hasMore } = await readBytes(handle, { offset: 0, maxBytes: MAX_BYTES, signal });
    if (hasMore || bytes.includes(0)) throw new Error('too large, or not a text');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } finally {
    await handle.close();
  }
}
