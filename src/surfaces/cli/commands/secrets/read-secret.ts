import { RuntimeError } from '../../../../core/errors.ts';
import { MAX_SECRET_CHARS } from '../../../../core/secrets/secrets.ts';
import type { CliContext, InputStream } from '../../program/context.ts';
import { parseError } from '../../program/errors.ts';

export interface SecretQuestion {
  readonly command: string;
  /** What is asked for, as in `value of github/token`. */
  readonly what: string;
}

/** Never from the command line: there, every user of the machine and the shell's history would see it. */
export async function readSecret(context: CliContext, question: SecretQuestion): Promise<string> {
  const { input, live } = context;
  if (input.isTTY === true) {
    live.note(`${question.what} (it is not shown; Enter ends it):`);
    return check(await readUnseen(input), question);
  }
  const text = await readAll(input, question);
  // Programs that print a secret end the line; the line's end is none of it.
  return check(text.replace(/\r?\n$/, ''), question);
}

function check(text: string, { command, what }: SecretQuestion): string {
  if (text !== '' && text.length <= MAX_SECRET_CHARS) return text;
  throw text === ''
    ? parseError(`there is no ${what}`, {
        target: command,
        hint: 'give it on standard input, or type it when asked on a terminal',
      })
    : tooLong({ command, what });
}

async function readAll(input: InputStream, question: SecretQuestion): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  try {
    for await (const chunk of input) {
      text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
      // Two more: the end of its line.
      if (text.length > MAX_SECRET_CHARS + 2) throw tooLong(question);
    }
    return text + decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw parseError(`the ${question.what} must be text`, {
      target: question.command,
      hint: 'encode it, for example with base64, and decode it where it is used',
    });
  }
}

const ENTER = new Set(['\r', '\n', '\u0004']);
const INTERRUPT = '\u0003';
const ERASE = new Set(['\u007f', '\b']);
const ERASE_LINE = '\u0015';

/** Keys one by one, since a terminal that reads lines shows them. */
async function readUnseen(input: InputStream): Promise<string> {
  const typed: string[] = [];
  const decoder = new TextDecoder();
  input.setRawMode?.(true);
  try {
    for await (const chunk of input) {
      const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
      for (const key of text) {
        if (ENTER.has(key)) return typed.join('');
        if (key === INTERRUPT) throw new RuntimeError('cancelled', 'interrupted');
        if (ERASE.has(key)) typed.pop();
        else if (key === ERASE_LINE) typed.length = 0;
        else if (typed.length <= MAX_SECRET_CHARS) typed.push(key);
      }
    }
    return typed.join('');
  } finally {
    input.setRawMode?.(false);
  }
}

function tooLong({ command, what }: SecretQuestion): Error {
  return parseError(`the ${what} has more than ${MAX_SECRET_CHARS} characters`, {
    target: command,
  });
}
