import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { fileFailed, inputInvalid } from './file-errors.ts';

interface LineMatch {
  readonly line: number;
  readonly text: string;
}

interface FileMatches {
  readonly matches: readonly LineMatch[];
  /** Whether there was at least one more. */
  readonly hasMore: boolean;
}

/**
 * Runs a pattern over the lines of files in a thread of its own: JavaScript patterns can backtrack for years, and a
 * thread, unlike a function call, can be ended from outside.
 */
export interface LineMatcher {
  match(file: FileToMatch): Promise<FileMatches>;
  close(): Promise<void>;
}

interface FileToMatch {
  readonly path: string;
  /** Handed over to the thread; unusable afterwards. Files that are not UTF-8 text have no matches. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly maxMatches: number;
}

export interface LineMatcherConfig {
  readonly pattern: RegExp;
  /** For one file. An honest pattern needs milliseconds. */
  readonly timeoutMs: number;
  readonly maxLineChars: number;
  readonly signal: AbortSignal;
}

const MAX_HEAP_MB = 128;

export async function openLineMatcher(config: LineMatcherConfig): Promise<LineMatcher> {
  const { pattern, maxLineChars } = config;
  const worker = new Worker(WORKER_SOURCE, {
    eval: true,
    workerData: { source: pattern.source, flags: pattern.flags, maxLineChars },
    // The thread needs nothing of ours: no environment with its secrets, no loaders.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  // Between two files nobody listens, and an error without a listener would end the process.
  worker.on('error', () => {});
  // On a loaded machine a thread may take longer to start than a file may take to search.
  await once(worker, 'online');

  return {
    async match(file) {
      config.signal.throwIfAborted();
      try {
        return await ask(worker, file, config);
      } catch (error) {
        await worker.terminate();
        throw error;
      }
    },

    async close() {
      await worker.terminate();
    },
  };
}

function ask(worker: Worker, file: FileToMatch, config: LineMatcherConfig): Promise<FileMatches> {
  const { signal, timeoutMs } = config;
  return new Promise((resolve, reject) => {
    const settle = (action: () => void) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
      action();
    };
    const onMessage = (answer: FileMatches) => settle(() => resolve(answer));
    const onAbort = () => settle(() => reject(signal.reason));
    const onExit = () =>
      settle(() => reject(fileFailed(file.path, 'search_failed', 'could not be searched')));
    const onTimeout = () =>
      settle(() =>
        reject(
          inputInvalid(
            'pattern',
            `pattern took longer than ${timeoutMs} ms on ${file.path}; avoid nested repetition such as (a+)+`,
          ),
        ),
      );
    const timer = setTimeout(onTimeout, timeoutMs);
    worker.on('message', onMessage).on('exit', onExit);
    signal.addEventListener('abort', onAbort, { once: true });
    worker.postMessage({ bytes: file.bytes, maxMatches: file.maxMatches }, [file.bytes.buffer]);
  });
}

// Source text, because a file of its own would have to be found again beside the sources, in the bundled program and
// in the library. It stays small and uses nothing but Node.
const WORKER_SOURCE = `
'use strict';
const { parentPort, workerData } = require('node:worker_threads');
const pattern = new RegExp(workerData.source, workerData.flags);
const decoder = new TextDecoder('utf-8', { fatal: true });

parentPort.on('message', ({ bytes, maxMatches }) => {
  parentPort.postMessage(search(decode(bytes), maxMatches));
});

function decode(bytes) {
  if (bytes.includes(0)) return '';
  try {
    return decoder.decode(bytes);
  } catch {
    return '';
  }
}

function search(text, maxMatches) {
  const matches = [];
  let line = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\\n', start);
    const end = newline === -1 ? text.length : newline;
    const content = text.slice(start, text[end - 1] === '\\r' && end > start ? end - 1 : end);
    const found = pattern.exec(content);
    line += 1;
    if (found !== null) {
      if (matches.length === maxMatches) return { matches, hasMore: true };
      matches.push({ line, text: clip(content, found.index) });
    }
    start = end + 1;
  }
  return { matches, hasMore: false };
}

// A minified file is one line: show what is around the match.
function clip(content, index) {
  const { maxLineChars } = workerData;
  if (content.length <= maxLineChars) return content;
  const latest = content.length - maxLineChars;
  const start = Math.min(Math.max(0, index - Math.floor(maxLineChars / 4)), latest);
  return content.slice(start, start + maxLineChars).toWellFormed();
}
`;
