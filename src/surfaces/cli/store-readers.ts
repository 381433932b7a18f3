import { createAgentReader as readAgents } from '../../core/agents/agent-reader.ts';
import type { AgentReader } from '../../core/agents/agents.ts';
import type { Clock } from '../../core/clock.ts';
import { createIds } from '../../core/create-ids.ts';
import { RuntimeError } from '../../core/errors.ts';
import { toNews } from '../../core/events/event-log.ts';
import type { Redactor } from '../../core/redact/redact.ts';
import { type RunReader, createRunReader as readRuns } from '../../core/runs/runs.ts';
import { createJobs, type JobReader } from '../../core/schedule/jobs.ts';
import { DEFAULT_CONTEXT_LIMITS } from '../../core/sessions/context-limits.ts';
import { createSessions, type Sessions } from '../../core/sessions/sessions.ts';
import { tailByPolling } from './commands/runs/tail-by-polling.ts';
import type { ReadOnlyStore } from './program/context.ts';

/** Parts of the core for those who only look. A state root that was never used is empty, which is no fault. */
export type SessionReader = Pick<Sessions, 'browse' | 'look' | 'messages'>;

export function createRunReader(store: ReadOnlyStore | undefined, clock: Clock): RunReader {
  if (store === undefined) return NO_RUNS;
  const runs = readRuns({ ...store, news: toNews(store.events), clock });
  return { ...runs, tail: (request) => tailByPolling(runs, clock, request) };
}

export function createJobReader(store: ReadOnlyStore | undefined, clock: Clock): JobReader {
  if (store === undefined) return NO_JOBS;
  const { jobs, agents, sessions } = store;
  const ids = createIds(() => clock.nowMs());
  const bounds = { maxJobs: none, maxJobsPerPrincipal: none };
  return createJobs({ store: jobs, agents, sessions, ids, redactor: asIs, clock, ...bounds });
}

export function createSessionReader(store: ReadOnlyStore | undefined, clock: Clock): SessionReader {
  if (store === undefined) return NO_SESSIONS;
  const ids = createIds(() => clock.nowMs());
  const { sessions, agents } = store;
  return createSessions({ store: sessions, agents, ids, redactor: asIs, context });
}

export function createAgentReader(store: ReadOnlyStore | undefined): AgentReader {
  if (store === undefined) return NO_AGENTS;
  return readAgents({ store: store.agents, runs: store.runs });
}

/** Nothing is written through a reader, so there is nothing to redact and no limit to keep. */
const asIs: Redactor = {
  redact: (value) => ({ value, paths: [] }),
  redactText: (text) => text,
};
const none = () => 0;
const context = () => DEFAULT_CONTEXT_LIMITS;

const NO_RUNS: RunReader = {
  list: async () => ({ runs: [], next: undefined }),
  get: (id) => refuse('run', id),
  trace: (id) => refuse('run', id),
  isOpen: () => false,
  floor: (id) => refuse('run', id),
  page: ({ runId }) => refuse('run', runId),
  async *tail() {},
};

const NO_JOBS: JobReader = {
  list: async () => ({ jobs: [], next: undefined }),
  get: (id) => refuse('job', id),
  history: (id) => refuse('job', id),
  preview: (id) => refuse('job', id),
  isPaused: async () => false,
  lastFired: async () => new Map(),
  summarize: async () => ({ isPaused: false, jobCount: 0, next: undefined }),
};

const NO_SESSIONS: SessionReader = {
  browse: async () => ({ sessions: [], next: undefined }),
  look: (id) => refuse('session', id),
  messages: (id) => refuse('session', id),
};

const NO_AGENTS: AgentReader = {
  list: async () => ({ agents: [], next: undefined }),
  get: (reference) => refuse('agent', reference),
  resolve: (reference) => refuse('agent', reference),
};

async function refuse(thing: string, id = ''): Promise<never> {
  throw new RuntimeError('not_found', `${thing} ${id} does not exist`, { details: { thing } });
}
