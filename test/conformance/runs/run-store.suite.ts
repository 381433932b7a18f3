import type { OpenStorage } from '../harness.ts';
import { describeAppends } from './run-store-appends.suite.ts';
import { describeCancels } from './run-store-cancels.suite.ts';
import { describeClaims } from './run-store-claims.suite.ts';
import { describeCreates } from './run-store-creates.suite.ts';
import { describeFrames } from './run-store-frames.suite.ts';
import { describeHeldRuns } from './run-store-held.suite.ts';
import { describeRunLists } from './run-store-lists.suite.ts';
import { describeNotes } from './run-store-notes.suite.ts';
import { describeRunRecords } from './run-store-records.suite.ts';
import { describeRests } from './run-store-rests.suite.ts';

/** Everything the RunStore port promises. */
export function describeRunStore(engine: string, open: OpenStorage): void {
  describeCreates(engine, open);
  describeClaims(engine, open);
  describeAppends(engine, open);
  describeCancels(engine, open);
  describeFrames(engine, open);
  describeRests(engine, open);
  describeNotes(engine, open);
  describeHeldRuns(engine, open);
  describeRunLists(engine, open);
  describeRunRecords(engine, open);
}
