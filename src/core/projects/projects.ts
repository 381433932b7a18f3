import type { AgentStatus } from '../agents/agent.ts';
import type { Clock } from '../clock.ts';
import type { ProjectAgent, ProjectStore, ProjectTally } from './project-store.ts';
import {
  readTimeline,
  type TimelineDeps,
  type TimelineEntry,
  type TimelineRequest,
} from './read-timeline.ts';

/** What every surface may ask of projects. Nothing makes one but naming it, so any name has an answer. */
export interface Projects {
  status(projectId: string): Promise<ProjectStatus>;
  /** By id. */
  list(page: { readonly limit: number; readonly after?: string }): Promise<ProjectList>;
  /** The newest first. Throws `not_found` for an unknown reader. */
  events(request: TimelineRequest): Promise<readonly TimelineEntry[]>;
}

/** `in_progress` while anything is to be done, `done` when all of it is and something was, else `idle`. */
export type OverallStatus = 'idle' | 'in_progress' | 'done';

export interface ProjectStatus {
  readonly tally: ProjectTally;
  readonly overall: OverallStatus;
  readonly agents: readonly (Pick<ProjectAgent, 'id' | 'name'> & {
    readonly status: AgentStatus;
  })[];
  readonly updatedAtMs: number;
}

interface ProjectList {
  readonly projects: readonly ProjectTally[];
  readonly next: string | undefined;
}

export interface ProjectsDeps extends TimelineDeps {
  readonly projects: ProjectStore;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** All there can be. */
const MAX_AGENTS = 1_000;

export function createProjects(deps: ProjectsDeps): Projects {
  const { projects: store, clock } = deps;
  return {
    async status(projectId) {
      const [tally, agents] = await Promise.all([
        store.tally(projectId),
        store.listAgents(projectId, MAX_AGENTS),
      ]);
      return {
        tally,
        overall: toOverall(tally),
        agents: agents.map(({ id, name, status, isBusy }) => ({
          id,
          name,
          status: isBusy && status === 'idle' ? 'busy' : status,
        })),
        updatedAtMs: tally.lastActivityAtMs ?? clock.nowMs(),
      };
    },

    async list({ limit, after }) {
      // One more than asked for tells whether there is a next page.
      const found = await store.list({ limit: limit + 1, ...(after !== undefined && { after }) });
      const projects = found.slice(0, limit);
      return { projects, next: found.length > limit ? projects.at(-1)?.id : undefined };
    },

    events: (request) => readTimeline(deps, request),
  };
}

/** What is still to be done, with hand-offs that have no run yet. */
export function countTodo({ waitingRuns, openHandoffs }: ProjectTally): number {
  return waitingRuns + openHandoffs;
}

export function toOverall(tally: ProjectTally): OverallStatus {
  if (countTodo(tally) + tally.activeRuns > 0) return 'in_progress';
  return tally.completedRuns > 0 ? 'done' : 'idle';
}
