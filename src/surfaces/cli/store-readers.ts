import { type Agents, createAgents } from '../../core/agents/agents.ts';
import type { Clock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import { createIds } from '../../core/ids.ts';
import type { Redactor } from '../../core/redact/redact.ts';
import { createJobs, type Jobs } from '../../core/schedule/jobs.ts';
import { DEFAULT_CONTEXT_LIMITS } from '../../core/sessions/context-limits.ts';
import { createSessions, type Sessions } from '../../core/sessions/sessions.ts';
import type { ReadOnlyStore } from './context.ts';

/** Parts of the core for those who only look. A state root that was never used is empty, which is no fault. */
export type JobReader = Pick<
  Jobs,
  'list' | 'get' | 'history' | 'preview' | 'isPaused' | 'lastFired' | 'summarize'
>;
export type SessionReader = Pick<Sessions, 'list' | 'get' | 'messages'>;
export type AgentReader = Pick<Agents, 'list' | 'get'>;

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
  return createSessions({ store: store.sessions, ids, redactor: asIs, context });
}

export function createAgentReader(store: ReadOnlyStore | undefined): AgentReader {
  if (store === undefined) return NO_AGENTS;
  return createAgents({ store: store.agents, models: NO_MODELS, redactor: asIs });
}

/** Nothing is written through a reader, so there is nothing to redact and no limit to keep. */
const asIs: Redactor = {
  redact: (value) => ({ value, paths: [] }),
  redactText: (text) => text,
};
const none = () => 0;
const context = () => DEFAULT_CONTEXT_LIMITS;
const NO_MODELS = { describe: () => refuse('model') };

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
  list: async () => ({ sessions: [], next: undefined }),
  get: (id) => refuse('session', id),
  messages: (id) => refuse('session', id),
};

const NO_AGENTS: AgentReader = {
  list: async () => ({ agents: [], next: undefined }),
  get: (id) => refuse('agent', id),
};

async function refuse(thing: string, id = ''): Promise<never> {
  throw new RuntimeError('not_found', `${thing} ${id} does not exist`, { details: { thing } });
}
