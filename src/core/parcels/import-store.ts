import type { SessionId } from '../ids.ts';
import type { JobBounds, NewJob } from '../schedule/job-store.ts';
import type { Session, SessionMessage } from '../sessions/session.ts';
import type { SessionSummary } from '../sessions/session-store.ts';

/** Something that an import writes: a declared write by its name, or a row of what each engine stores its own way. */
export type ImportStep =
  | { readonly step: 'write'; readonly name: string; readonly given: unknown }
  | {
      readonly step: 'session';
      /** Without messages yet: those that follow count themselves. */
      readonly session: Session;
      readonly summary?: SessionSummary;
    }
  | {
      readonly step: 'messages';
      readonly sessionId: SessionId;
      readonly messages: readonly SessionMessage[];
    }
  | { readonly step: 'job'; readonly job: NewJob; readonly bounds: JobBounds };

/** Steps wait outside of the store until all of them are known; then one transaction takes them in their order. */
export interface ImportStore {
  stage(): Promise<StagedImport>;
}

export interface StagedImport {
  add(step: ImportStep): Promise<void>;
  /** All of them or none: a step that is refused refuses the others, and throws. */
  commit(): Promise<void>;
  /** Whatever became of it. Nothing is left of it after that, nor after the process. */
  close(): Promise<void>;
}
