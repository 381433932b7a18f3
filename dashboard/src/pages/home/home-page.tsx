import { readSummary } from '../../../../src/operations/observability/observability.ts';
import { readStatus } from '../../../../src/operations/status/status.ts';
import { useRead } from '../../api/use-operation.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Page } from '../../kit/page.tsx';
import { AskBox } from './ask-box.tsx';
import { ComesNext } from './comes-next.tsx';
import { Figures } from './figures.tsx';
import { Alerts, StoppedNote, Warnings } from './health.tsx';
import { FailedRuns, LatestRuns, SHOWN_RUNS } from './run-lists.tsx';
import { WaitingForMe } from './waiting-for-me.tsx';
import { WhatToTry } from './what-to-try.tsx';

export function HomePage() {
  const status = useRead(readStatus, { query: { limit: SHOWN_RUNS } });
  const health = useRead(readSummary, { query: { window_minutes: 60 } });
  return (
    <Page title="Home">
      <Loaded query={status} rows={8}>
        {(now) => (
          <>
            <StoppedNote state={now.kill_switch} />
            <Figures status={now} health={health.data} />
            <AskBox />
            <WaitingForMe status={now} />
            {now.run_count === 0 ? <WhatToTry /> : null}
            <div className="grid gap-x-6 lg:grid-cols-2">
              <LatestRuns newest={now.runs} />
              <div>
                <FailedRuns />
                <ComesNext />
              </div>
            </div>
            <Warnings warnings={now.warnings} />
            {health.data === undefined ? null : <Alerts alerts={health.data.alerts} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}
