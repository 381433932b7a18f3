import { type AgentDirectory, toAgentId } from '../agents/resolve-agent.ts';
import type { Clock } from '../clock.ts';
import { defined } from '../defined.ts';
import type { NewsEvent } from '../events/event.ts';
import type { EventLog, EventNews, Wakeups } from '../events/event-log.ts';
import { createFollowRun, type FollowRun, type TailRequest } from '../events/follow-run.ts';
import { type EventPage, type EventPageRequest, readEventPage } from '../events/read-event-page.ts';
import { tailRun } from '../events/tail-run.ts';
import type { RunId } from '../ids.ts';
import type { SettleDeps } from '../loop/tool-turn-deps.ts';
import { type SteerReceipt, type SteerRun, steerRun } from '../threads/steer-run.ts';
import { type CancelRun, cancelRun } from './cancel-run.ts';
import type { Run } from './run.ts';
import { runNotFound } from './run-not-found.ts';
import type { CancelResult, RunPage, RunSearch, RunStore } from './run-store.ts';
import { type SubmitDeps, type SubmitReceipt, type SubmitRun, submitRun } from './submit-run.ts';
import { type RunTrace, readTrace } from './trace.ts';

/** What every surface may do with runs. Surfaces decode, call one of these, and encode. */
export interface Runs {
  submit(request: SubmitRun): Promise<SubmitReceipt>;
  /** Throws `not_found`. */
  get(id: RunId): Promise<Run>;
  list(filter: RunSearch): Promise<RunPage>;
  trace(id: RunId): Promise<RunTrace>;
  /** Throws `not_found`. */
  cancel(request: CancelRun): Promise<CancelResult>;
  /** Throws `not_found`, and `conflict` when nobody would read it; see `steerRun`. */
  steer(request: SteerRun): Promise<SteerReceipt>;
  /** True when it is known, without looking, to exist and not to have ended; false when only looking can tell. */
  isOpen(id: RunId): boolean;
  /** The oldest cursor that can be read from: events up to it are no longer kept. 0 when all are there. */
  floor(id: RunId): Promise<number>;
  /** A window of its log. Throws `stale_cursor` below the floor. */
  page(request: EventPageRequest): Promise<EventPage>;
  /** Pages of events after a cursor; see `tailRun`. Throws `stale_cursor` below the floor. */
  tail(request: TailRequest): AsyncGenerator<readonly NewsEvent[]>;
}

/** Where many readers follow the same runs. */
export interface ServedRuns extends Runs {
  /** What `tail` is made of, for whoever takes what it is given; see `createFollowRun`. */
  readonly follow: FollowRun;
}

/** The part that changes nothing: enough storage to read is enough for it. */
export type RunReader = Pick<Runs, 'get' | 'list' | 'trace' | 'isOpen' | 'floor' | 'page' | 'tail'>;

export interface RunReaderDeps {
  readonly runs: Pick<RunStore, 'find' | 'list' | 'search'>;
  readonly agents: AgentDirectory;
  readonly events: EventLog;
  readonly news: EventNews;
  readonly wakeups: Wakeups;
  readonly clock: Clock;
}

export interface RunsDeps extends SubmitDeps, SettleDeps, Omit<RunReaderDeps, 'runs'> {}

export function createRuns(deps: RunsDeps): ServedRuns {
  return {
    ...createRunReader(deps),
    submit: (request) => submitRun(deps, request),
    cancel: (request) => cancelRun(deps, request),
    steer: (request) => steerRun(deps, request),
  };
}

export function createRunReader(deps: RunReaderDeps): RunReader & Pick<ServedRuns, 'follow'> {
  const { news, wakeups, clock } = deps;
  const follow = createFollowRun({ log: news, wakeups, clock });
  return {
    async get(id) {
      const run = await deps.runs.find(id);
      if (!run) {
        throw runNotFound(id);
      }
      return run;
    },

    async list(filter) {
      const { agentId: reference } = filter;
      const agentId = reference && (await toAgentId(deps.agents, reference));
      return findRuns(deps.runs, { ...filter, ...defined({ agentId }) });
    },

    trace: (id) => readTrace(deps.events, id),

    isOpen: news.isOpen,

    floor: (id) => deps.events.floor(id),

    page: (request) => readEventPage(deps.events, request),

    tail: (request) => tailRun(follow, request),

    follow,
  };
}

/** A list is one look into an index; only what it can't say is searched for. */
async function findRuns(
  runs: Pick<RunStore, 'list' | 'search'>,
  filter: RunSearch,
): Promise<RunPage> {
  const { statuses, source, text, sinceMs, untilMs, ...plain } = filter;
  const isPlain = [source, text, sinceMs, untilMs].every((one) => one === undefined);
  if (!isPlain || (statuses !== undefined && statuses.length > 1)) return runs.search(filter);
  return runs.list({ ...plain, ...defined({ status: statuses?.[0] ?? plain.status }) });
}
