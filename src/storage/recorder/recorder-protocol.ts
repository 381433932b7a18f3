import type { EndedRun } from '../../core/costs/close-runs.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { RunId } from '../../core/ids.ts';
import type { LineLevel, LogFields } from '../../core/log.ts';
import type { RecordMark } from '../../core/runs/run-store.ts';

/** What the recorder's thread is started with. */
export interface RecorderThreadData {
  /** The state root, below which the files are written. */
  readonly root: string;
  readonly databaseFile: string;
  readonly syncIntervalMs: number;
  /** The fault point to die at, in crash tests. */
  readonly faultSpec: string | undefined;
}

export type ToRecorder =
  | {
      readonly kind: 'news';
      readonly runIds: readonly RunId[];
      /** Whether the event loop had hardly a pause lately. */
      readonly isBusy: boolean;
    }
  | { readonly kind: 'answer'; readonly number: number; readonly fault?: AnswerFault }
  | { readonly kind: 'stop' };

export type FromRecorder =
  /** The news are noted: more may come. */
  | { readonly kind: 'noted' }
  | { readonly kind: 'ask'; readonly number: number; readonly ask: RecorderAsk }
  | {
      readonly kind: 'log';
      readonly level: LineLevel;
      readonly fields: LogFields;
      readonly message: string;
    };

/** What only the one writer of the database can do. */
export type RecorderAsk =
  | { readonly op: 'mark'; readonly marks: readonly RecordMark[] }
  | { readonly op: 'close'; readonly ended: readonly EndedRun[] };

/** Errors lose their class and fields when they are cloned, so they travel as plain values. */
export interface AnswerFault {
  readonly code: ErrorCode;
  readonly message: string;
}
