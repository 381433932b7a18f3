import type { Agent } from '../agents/agent.ts';
import type { RunId } from '../ids.ts';

/** What is to be done, under way and done in a project, counted. */
export interface ProjectTally {
  readonly id: string;
  /** Runs that are queued or wait for something. */
  readonly waitingRuns: number;
  /** Runs that are under way, also those about to be cancelled. */
  readonly activeRuns: number;
  readonly completedRuns: number;
  readonly failedRuns: number;
  readonly cancelledRuns: number;
  /** Hand-offs that have no run yet. */
  readonly openHandoffs: number;
  readonly facts: number;
  /** Undefined for a project that nobody has named. */
  readonly lastActivityAtMs: number | undefined;
}

export interface ProjectAgent extends Pick<Agent, 'id' | 'name' | 'status'> {
  /** Has a run under way, in whatever project; also while it sleeps, until that has ended. */
  readonly isBusy: boolean;
}

/** Projects have no table of their own: they are what others name. */
export interface ProjectStore {
  tally(projectId: string): Promise<ProjectTally>;
  /** By id. */
  list(page: ProjectPage): Promise<ProjectTally[]>;
  /** With runs or hand-offs there, by id. */
  listAgents(projectId: string, limit: number): Promise<ProjectAgent[]>;
  /** The newest that ended and the newest that are open: their logs hold the newest events. */
  listActiveRuns(filter: ActiveRuns): Promise<RunId[]>;
}

export interface ActiveRuns {
  /** For whom they act. */
  readonly owner: string;
  readonly projectId: string;
  readonly limit: number;
}

export interface ProjectPage {
  readonly limit: number;
  /** The last one of the page before. */
  readonly after?: string;
}
