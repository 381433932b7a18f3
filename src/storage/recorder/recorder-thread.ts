import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type Clock, systemClock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import { killAtFaultPoint } from '../../core/fault-point.ts';
import type { RunId } from '../../core/ids.ts';
import type { LineLevel, Logger } from '../../core/log.ts';
import { createRecorder } from '../../core/records/recorder.ts';
import { createAuditKeyFile } from '../files/audit-key-file.ts';
import { openRecordFiles } from '../files/open-record-files.ts';
import { openLogReader } from '../sqlite/runs/open-log-reader.ts';
import type {
  FromRecorder,
  RecorderAsk,
  RecorderThreadData,
  ToRecorder,
} from './recorder-protocol.ts';

/** Entry of the recorder's thread: reads on a connection of its own, writes files, and asks for the rest. */
function serve(port: MessagePort, data: RecorderThreadData): void {
  const { root, databaseFile, syncIntervalMs, faultSpec } = data;
  if (faultSpec !== undefined) {
    killAtFaultPoint(faultSpec, () => process.kill(process.pid, 'SIGKILL'));
  }
  const clock = systemClock;
  const key = createAuditKeyFile(root);
  const log = openLogReader(databaseFile);
  const sink = openRecordFiles({ root, clock, getKey: () => key.get(), hasOwnThread: true });
  const questions = createQuestions(post);
  const news = createNews(clock);
  const recorder = createRecorder({
    ...{ sink, clock, syncIntervalMs, logger: createPostLogger(post) },
    wakeups: news,
    isBusy: news.isBusy,
    events: log.events,
    runs: { ...log.runs, markRecorded: (marks) => questions.ask({ op: 'mark', marks }) },
    closeRuns: (ended) => questions.ask({ op: 'close', ended }),
    // An embedded store has no other nodes.
    records: { listOwn: async (runIds) => runIds, renewNode: async () => {} },
  });

  function post(message: FromRecorder): void {
    port.postMessage(message);
  }

  async function stop(): Promise<void> {
    await recorder.stop();
    await sink.close();
    log.close();
    port.close();
  }

  port.on('message', (message: ToRecorder) => {
    if (message.kind === 'stop') return void stop();
    if (message.kind === 'answer') return questions.settle(message);
    news.tell(message);
    post({ kind: 'noted' });
  });
  recorder.start();
}

/** While runs go on there are news several times in this: without any, nobody is busy. */
const QUIET_AFTER_MS = 300;

function createNews({ nowMs }: Pick<Clock, 'nowMs'>) {
  const listeners = new Set<(runId: RunId) => void>();
  let busyUntilMs = 0;
  return {
    isBusy: () => nowMs() < busyUntilMs,
    watchRuns(listener: (runId: RunId) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell({ runIds, isBusy }: Extract<ToRecorder, { kind: 'news' }>): void {
      busyUntilMs = isBusy ? nowMs() + QUIET_AFTER_MS : 0;
      for (const listener of listeners) for (const runId of runIds) listener(runId);
    },
  };
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: RuntimeError) => void;
}

function createQuestions(post: (message: FromRecorder) => void) {
  const waiting = new Map<number, Waiting>();
  let lastNumber = 0;
  return {
    ask(ask: RecorderAsk): Promise<void> {
      lastNumber += 1;
      const number = lastNumber;
      return new Promise((resolve, reject) => {
        waiting.set(number, { resolve, reject });
        post({ kind: 'ask', number, ask });
      });
    },
    settle({ number, fault }: Extract<ToRecorder, { kind: 'answer' }>): void {
      const asked = waiting.get(number);
      waiting.delete(number);
      if (fault === undefined) asked?.resolve();
      else asked?.reject(new RuntimeError(fault.code, fault.message));
    },
  };
}

function createPostLogger(post: (message: FromRecorder) => void): Logger {
  const at = (level: LineLevel) => (fields: Parameters<Logger['info']>[0], message: string) =>
    post({ kind: 'log', level, fields, message });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

if (parentPort) serve(parentPort, workerData as RecorderThreadData);
