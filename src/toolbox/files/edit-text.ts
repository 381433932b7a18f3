import { fileFailed, inputInvalid } from './file-errors.ts';

export interface LineEdit {
  /** The first line to replace, counted from 1. */
  readonly startLine: number;
  /** The last line to replace, itself included. */
  readonly endLine: number;
  /** Empty deletes the lines. */
  readonly newText: string;
}

export interface Replacement {
  readonly old: string;
  readonly new: string;
}

/** Replaces the one place where `old` stands; two places mean that the caller could have meant either. */
export function replaceOnce(path: string, text: string, replacement: Replacement): string {
  const first = text.indexOf(replacement.old);
  if (first === -1) {
    throw fileFailed(
      path,
      'old_not_found',
      'does not contain old; read the file and copy the text exactly',
    );
  }
  if (text.indexOf(replacement.old, first + 1) !== -1) {
    throw fileFailed(
      path,
      'old_not_unique',
      'contains old more than once; add surrounding lines to old and new so that it occurs exactly once',
    );
  }
  return text.slice(0, first) + replacement.new + text.slice(first + replacement.old.length);
}

/** Applies line ranges that all refer to the text as it was before the first of them. */
export function patchLines(text: string, edits: readonly LineEdit[]): string {
  const lines = splitLines(text);
  const ordered = [...edits].sort((a, b) => a.startLine - b.startLine);
  let patched = '';
  let copied = 0;
  for (const edit of ordered) {
    assertRange(edit, lines.length);
    if (edit.startLine <= copied) {
      throw inputInvalid('edits', `edits overlap at line ${edit.startLine}`);
    }
    patched += lines.slice(copied, edit.startLine - 1).join('');
    patched += withLineEnd(edit.newText, lines[edit.endLine - 1] ?? '');
    copied = edit.endLine;
  }
  return patched + lines.slice(copied).join('');
}

/** Lines with their ends. An empty text has one empty line, so that it can be given content. */
function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [''];
}

function assertRange({ startLine, endLine }: LineEdit, lineCount: number): void {
  if (endLine < startLine) {
    throw inputInvalid('edits', `endLine ${endLine} is before startLine ${startLine}`);
  }
  if (endLine > lineCount) {
    throw inputInvalid(
      'edits',
      `line ${endLine} is out of bounds: the file has ${lineCount} line(s)`,
    );
  }
}

/** New text ends as the lines it replaces did; without this the line after them would be glued to it. */
function withLineEnd(newText: string, lastLine: string): string {
  if (newText === '' || newText.endsWith('\n')) return newText;
  return newText + (/\r?\n$/.exec(lastLine)?.[0] ?? '');
}
