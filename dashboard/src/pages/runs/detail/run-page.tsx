import { Unplug } from 'lucide-react';
import { getRun } from '../../../../../src/operations/runs/runs.ts';
import { useRead } from '../../../api/use-operation.ts';
import { type FollowedRun, useRunEvents } from '../../../api/use-run-events.ts';
import { ErrorNote } from '../../../kit/error-note.tsx';
import { Loaded } from '../../../kit/loaded.tsx';
import { Page } from '../../../kit/page.tsx';
import { Tabs } from '../../../kit/tabs.tsx';
import { useExactSearch } from '../../../kit/use-exact-params.ts';
import { RunActions } from '../actions/run-actions.tsx';
import { BundleTab } from '../bundle/bundle-tab.tsx';
import { EventsTab } from '../events/events-tab.tsx';
import { LogTab } from '../log/log-tab.tsx';
import { PromptTab } from '../prompt/prompt-tab.tsx';
import { TimelineTab } from '../waterfall/timeline-tab.tsx';
import { RunHeader } from './run-header.tsx';
import { RunNeighbours } from './run-neighbours.tsx';
import type { RunTabProps } from './run-tab-props.ts';
import { type RunTab, useRunView } from './run-view.ts';
import { useNowMs, useTimeline } from './use-timeline.ts';

const TITLE_CHARS = 140;

/** One run: what it did, as it does it. */
export function RunPage({ runId }: { readonly runId: string }) {
  const run = useRead(getRun, { params: { run_id: runId } });
  const followed = useRunEvents(runId);
  const timeline = useTimeline(followed.events);
  const nowMs = useNowMs(timeline.endMs === undefined);
  const [view, change] = useRunView(runId);
  return (
    <Page
      title={run.data === undefined ? 'Run' : toTitle(run.data.message)}
      isWide
      actions={
        <>
          <RunNeighbours runId={runId} search={useExactSearch()} />
          {run.data === undefined ? null : <RunActions run={run.data} events={followed.events} />}
        </>
      }
    >
      <Loaded query={run} rows={8}>
        {(data) => (
          <>
            <RunHeader run={data} timeline={timeline} nowMs={nowMs} />
            <Connection followed={followed} />
            <RunTabs {...{ run: data, followed, timeline, nowMs, view, change }} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function toTitle(message: string): string {
  const line = message.trim().split('\n', 1)[0] ?? '';
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS)}…` : line;
}

/** Whether what is shown is all there is by now. */
function Connection({ followed: { state, error } }: { readonly followed: FollowedRun }) {
  if (state === 'failed') return <ErrorNote error={error} />;
  if (state !== 'lost') return null;
  return (
    <p
      role="status"
      className="mb-3 flex items-center gap-2 rounded-lg bg-wait-soft px-3 py-2 text-sm"
    >
      <Unplug aria-hidden className="size-4 shrink-0 text-wait" />
      The connection is lost: the run may have gone further. It is tried again by itself.
    </p>
  );
}

function RunTabs(props: RunTabProps) {
  const { followed, view, change } = props;
  const tabs = [
    { id: 'timeline', label: 'Timeline' },
    { id: 'log', label: 'Log' },
    { id: 'events', label: 'Events', count: followed.events.length },
    { id: 'prompt', label: 'Prompt' },
    { id: 'bundle', label: 'Bundle' },
  ];
  return (
    <Tabs
      label="Parts of the run"
      tabs={tabs}
      current={view.tab}
      onChange={(tab) => change({ tab: tab as RunTab })}
    >
      <CurrentTab {...props} />
    </Tabs>
  );
}

function CurrentTab(props: RunTabProps) {
  switch (props.view.tab) {
    case 'timeline':
      return <TimelineTab {...props} />;
    case 'log':
      return <LogTab {...props} />;
    case 'events':
      return <EventsTab {...props} />;
    case 'prompt':
      return <PromptTab {...props} />;
    case 'bundle':
      return <BundleTab {...props} />;
  }
}
