import type { CliContext, InputStream } from './program/context.ts';
import { parseError } from './program/errors.ts';

export interface TextQuestion {
  readonly command: string;
  /** What is read, as in `message`. */
  readonly what: string;
  /** What the usage line calls it, when it is an argument. */
  readonly argument?: string;
  readonly maxChars: number;
  /** Said when there is none. */
  readonly hint: string;
  /** Said when it is too long. */
  readonly longHint?: string;
}

/** As many as `/v1` takes. */
export const MAX_MESSAGE_CHARS = 256 * 1024;

const ASK: TextQuestion = {
  command: 'ask',
  what: 'message',
  argument: 'MESSAGE',
  maxChars: MAX_MESSAGE_CHARS,
  hint: 'give it as an argument, or on standard input',
  longHint: 'put the text in a file of the workspace and name it',
};

/** The message on the command line, or on standard input. */
export function readMessage(args: readonly string[], context: CliContext): Promise<string> {
  return readText(args, context.input, ASK);
}

/** Words of the command line; without any, or for `-`, what a pipe brings. */
export async function readText(
  words: readonly string[],
  input: InputStream,
  question: TextQuestion,
): Promise<string> {
  const { command: target, what, hint } = question;
  const isPiped = words.length === 0 && input.isTTY !== true;
  const text =
    isPiped || (words.length === 1 && words[0] === '-')
      ? await readAll(input, question)
      : words.join(' ');
  if (text.trim() === '') {
    const isMissing = words.length === 0 && question.argument !== undefined;
    const problem = isMissing
      ? `argument ${question.argument} is missing${isPiped ? ', and standard input is empty' : ''}`
      : `there is no ${what}`;
    throw parseError(problem, { target, hint });
  }
  if (text.length > question.maxChars) throw tooLong(question);
  if (text.includes('\0') || /\p{Surrogate}/u.test(text)) {
    throw parseError(`the ${what} must be text, without NUL characters`, { target });
  }
  return text;
}

async function readAll(input: InputStream, question: TextQuestion): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of input) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length > question.maxChars) throw tooLong(question);
  }
  return text + decoder.decode();
}

function tooLong({ command, what, maxChars, longHint }: TextQuestion): Error {
  return parseError(`the ${what} has more than ${maxChars} characters`, {
    target: command,
    hint: longHint,
  });
}
