import { toIso } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import { PROJECT_ID_PATTERN } from '../../core/projects/project-id.ts';
import type { ProjectTally } from '../../core/projects/project-store.ts';
import { countTodo, type ProjectStatus, toOverall } from '../../core/projects/projects.ts';
import type { TimelineEntry } from '../../core/projects/read-timeline.ts';
import { decodeCursor, encodeNext } from '../cursor.ts';
import type { ProjectEventsShape, ProjectListShape, ProjectStatusShape } from './project-shapes.ts';

export function encodeProjectStatus(status: ProjectStatus): ProjectStatusShape {
  const { tally, overall, agents, updatedAtMs } = status;
  return {
    project_id: tally.id,
    overall_status: overall,
    agents: agents.map(({ id, name, status: state }) => ({ id, name, status: state })),
    ...encodeCounts(tally),
    updated_at: toIso(updatedAtMs),
  };
}

function encodeCounts(tally: ProjectTally) {
  return {
    tasks: { todo: countTodo(tally), doing: tally.activeRuns, done: tally.completedRuns },
    failed: tally.failedRuns,
    cancelled: tally.cancelledRuns,
  };
}

export function encodeTimeline(
  projectId: string,
  entries: readonly TimelineEntry[],
): ProjectEventsShape {
  return {
    project_id: projectId,
    events: entries.map((entry) => ({
      id: entry.id,
      project_id: projectId,
      agent_id: entry.agentId,
      ...defined({ agent_name: entry.agentName }),
      kind: entry.kind,
      content: entry.content,
      run_id: entry.runId,
      timestamp: toIso(entry.atMs),
    })),
  };
}

export function encodeProjects(page: {
  readonly projects: readonly ProjectTally[];
  readonly next: string | undefined;
}): ProjectListShape {
  return {
    projects: page.projects.map((tally) => ({
      project_id: tally.id,
      overall_status: toOverall(tally),
      ...encodeCounts(tally),
      facts: tally.facts,
      last_activity_at: tally.lastActivityAtMs === undefined ? null : toIso(tally.lastActivityAtMs),
    })),
    next_cursor: encodeNext(page.next),
  };
}

export function decodeProjectCursor(cursor: string): string {
  return decodeCursor(cursor, (place) => PROJECT_ID_PATTERN.test(place));
}
