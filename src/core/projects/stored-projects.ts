import { clampLimit } from '../clamp-limit.ts';
import type { RunId } from '../ids.ts';
import { query } from '../store/collection.ts';
import { ask } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import type { ActiveRuns, ProjectAgent, ProjectStore, ProjectTally } from './project-store.ts';

export const PROJECT_TALLY = query<{ projectId: string }, ProjectTally>('project_tally');
export const PROJECT_PAGE = query<{ after: string; limit: number }, ProjectTally>('project_page');
export const PROJECT_AGENTS = query<{ projectId: string; limit: number }, ProjectAgent>(
  'project_agents',
);
export const PROJECT_RUNS = query<ActiveRuns, { id: RunId }>('project_runs');

/** A page is read in one go, and each is counted. */
const MAX_PAGE_PROJECTS = 200;
const MAX_PAGE_AGENTS = 1_000;

export function createProjectStore({ load }: Pick<Tables, 'load'>): ProjectStore {
  return {
    async tally(projectId) {
      const [tally] = await load(ask(PROJECT_TALLY, { projectId }));
      return tally ?? { ...NOTHING, id: projectId };
    },

    list: ({ after = '', limit }) =>
      load(ask(PROJECT_PAGE, { after, limit: clampLimit(limit, MAX_PAGE_PROJECTS) })),

    listAgents: (projectId, limit) =>
      load(ask(PROJECT_AGENTS, { projectId, limit: clampLimit(limit, MAX_PAGE_AGENTS) })),

    async listActiveRuns({ owner, projectId, limit: given }) {
      const limit = clampLimit(given, MAX_PAGE_PROJECTS);
      return (await load(ask(PROJECT_RUNS, { owner, projectId, limit }))).map(({ id }) => id);
    },
  };
}

const NOTHING: Omit<ProjectTally, 'id'> = {
  waitingRuns: 0,
  activeRuns: 0,
  completedRuns: 0,
  failedRuns: 0,
  cancelledRuns: 0,
  openHandoffs: 0,
  facts: 0,
  lastActivityAtMs: undefined,
};
