import { emitKeypressEvents } from 'node:readline';
import type { InputStream } from '../program/context.ts';
import type { Key } from './line-editor.ts';

export interface ChatKeys {
  /** Gives the terminal back. */
  close(): void;
}

export interface KeyListener {
  onKey(key: Key): void;
  /** The terminal is gone. */
  onEnd(): void;
}

const PASTE_ON = '\u001b[?2004h';
const PASTE_OFF = '\u001b[?2004l';

/** What we need of `process.stdin` beyond reading it. */
interface KeyStream extends NodeJS.ReadableStream {
  setRawMode?(isRaw: boolean): unknown;
}

/** Keys one by one, from a terminal that echoes nothing itself. */
export function listenForKeys(
  input: InputStream,
  listener: KeyListener,
  write: ((text: string) => void) | undefined,
): ChatKeys {
  // A terminal's input is a stream with events; the rest of the program only reads it.
  const stream = input as unknown as KeyStream;
  const onKeypress = (text: string | undefined, key: Key | undefined) =>
    listener.onKey({ sequence: text, ...key });
  const onEnd = () => listener.onEnd();
  let isOpen = true;

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    stream.off('keypress', onKeypress).off('end', onEnd);
    process.off('exit', close);
    write?.(PASTE_OFF);
    stream.setRawMode?.(false);
    stream.pause();
  }

  emitKeypressEvents(stream);
  stream.on('keypress', onKeypress).on('end', onEnd);
  stream.setRawMode?.(true);
  stream.resume();
  // Text that is pasted is marked as such, so that its line breaks do not send it.
  write?.(PASTE_ON);
  // Whatever ends the process, the shell behind it must get a terminal that works.
  process.once('exit', close);
  return { close };
}
