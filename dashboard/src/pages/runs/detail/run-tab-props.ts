import type { RunDetail } from '../../../../../src/operations/runs/run-shapes.ts';
import type { FollowedRun } from '../../../api/use-run-events.ts';
import type { Timeline } from '../timeline/span.ts';
import type { ChangeView, RunView } from './run-view.ts';

/** What every part of the page of a run gets. */
export interface RunTabProps {
  readonly run: RunDetail;
  readonly followed: FollowedRun;
  readonly timeline: Timeline;
  readonly nowMs: number;
  readonly view: RunView;
  readonly change: ChangeView;
}
