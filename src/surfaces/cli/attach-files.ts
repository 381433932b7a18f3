import { open } from 'node:fs/promises';
import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import { errnoOf, isMissing } from '../../platform/errno-of.ts';
import { toOneLine } from './print/plain-text.ts';
import { MAX_MESSAGE_CHARS } from './read-message.ts';

/** Of one file. Together with the message they have to fit into a message. */
const MAX_FILE_BYTES = 256 * 1024;
const MAX_FILES = 20;
const MAX_NAME_CHARS = 200;

/** The message with the texts of files behind it, each under its name. */
export async function attachFiles(message: string, paths: readonly string[]): Promise<string> {
  if (paths.length > MAX_FILES) {
    throw refusal(`option --file is given more than ${MAX_FILES} times`);
  }
  const parts = [message];
  for (const path of paths) parts.push(attach(path, await readTextFile(path)));
  const whole = parts.join('\n\n');
  if (whole.length <= MAX_MESSAGE_CHARS) return whole;
  throw refusal(
    `message and files have more than ${MAX_MESSAGE_CHARS} characters together`,
    'put the files into the workspace and name them: the agent reads what it needs',
  );
}

/** Between fences that are longer than any in the text. */
function attach(path: string, text: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  const end = text.endsWith('\n') || text === '' ? '' : '\n';
  return `File ${toOneLine(path, MAX_NAME_CHARS)}:\n${fence}\n${text}${end}${fence}`;
}

async function readTextFile(path: string): Promise<string> {
  const bytes = await readBounded(path);
  if (bytes.length > MAX_FILE_BYTES) {
    throw refusal(
      `file ${path} has more than ${MAX_FILE_BYTES} bytes`,
      'put it into the workspace and name it: the agent reads what it needs',
    );
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Falls through: bytes that are no UTF-8 are no text to us.
  }
  throw refusal(`file ${path} is not a text file in UTF-8`);
}

async function readBounded(path: string): Promise<Uint8Array> {
  try {
    const file = await open(path, 'r');
    try {
      // A pipe or a device may never end.
      if (!(await file.stat()).isFile()) throw refusal(`${path} is not a file`);
      const bytes = new Uint8Array(MAX_FILE_BYTES + 1);
      let length = 0;
      while (length < bytes.length) {
        const { bytesRead } = await file.read(bytes, length, bytes.length - length);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return bytes.subarray(0, length);
    } finally {
      await file.close();
    }
  } catch (thrown) {
    throw toRefusal(path, thrown);
  }
}

function toRefusal(path: string, thrown: unknown): unknown {
  if (isMissing(thrown)) {
    const details = {
      thing: 'file',
      name: path,
      operation: 'read_file',
      hint: 'paths are relative to the working directory',
    };
    return new RuntimeError('not_found', `file ${path} does not exist`, { details });
  }
  const errno = errnoOf(thrown);
  if (errno === 'EACCES' || errno === 'EPERM') {
    return refusal(`file ${path} can not be read: permission denied`);
  }
  return thrown;
}

function refusal(message: string, hint?: string): RuntimeError {
  const details = {
    operation: 'read_file',
    target: 'ask',
    ...defined({ hint }),
  };
  return new RuntimeError('invalid_input', message, { details });
}
