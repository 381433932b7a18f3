import type { ProjectionDocument } from './projection.ts';

/** Where summaries are kept for others to read. Nothing is ever read back from it. */
export interface ProjectionSink {
  readonly kind: 'file' | 'http';
  /** Replaces the document. Throws when it is not known to be stored. */
  write(document: ProjectionDocument): Promise<void>;
}
