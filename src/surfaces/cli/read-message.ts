import type { CliContext, InputStream } from './context.ts';
import { parseError } from './errors.ts';

/** As many as `/v1` takes. */
const MAX_MESSAGE_CHARS = 256 * 1024;

/** The message on the command line, or on standard input. */
export async function readMessage(args: readonly string[], context: CliContext): Promise<string> {
  const isPiped = args.length === 0 && context.input.isTTY !== true;
  const message =
    isPiped || (args.length === 1 && args[0] === '-')
      ? await readAll(context.input)
      : args.join(' ');
  if (message.trim() === '') {
    throw parseError('there is no message', {
      target: 'ask',
      hint: 'give it as an argument, or on standard input',
    });
  }
  if (message.length > MAX_MESSAGE_CHARS) throw tooLong();
  if (message.includes('\0') || /\p{Surrogate}/u.test(message)) {
    throw parseError('the message must be text, without NUL characters', { target: 'ask' });
  }
  return message;
}

async function readAll(input: InputStream): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of input) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length > MAX_MESSAGE_CHARS) throw tooLong();
  }
  return text + decoder.decode();
}

function tooLong(): Error {
  return parseError(`the message has more than ${MAX_MESSAGE_CHARS} characters`, {
    target: 'ask',
    hint: 'put the text in a file of the workspace and name it',
  });
}
