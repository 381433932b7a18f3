import { z } from 'zod';
import { AGENT_STATUSES } from '../../core/agents/agent.ts';
import { DEFAULT_PROJECT_ID } from '../../core/projects/project-id.ts';
import { integerParam, isoDate, pageCursor, pageLimit, projectId } from '../fields.ts';
import { readerHeaders, readerQuery } from '../knowledge/knowledge-shapes.ts';

/** Projects, as `/api` shows them. */
const MAX_EVENTS = 100;
const DEFAULT_EVENTS = 20;

const overallStatus = z.enum(['idle', 'in_progress', 'done']);
const tasks = z.object({ todo: z.number(), doing: z.number(), done: z.number() });

export const statusQuery = z.strictObject({
  project_id: projectId.prefault(DEFAULT_PROJECT_ID),
});

export const projectStatus = z
  .object({
    project_id: z.string(),
    overall_status: overallStatus,
    agents: z.array(z.object({ id: z.string(), name: z.string(), status: z.enum(AGENT_STATUSES) })),
    tasks,
    failed: z.number(),
    cancelled: z.number(),
    updated_at: isoDate,
  })
  .meta({ id: 'ProjectStatus' });

export { readerHeaders };

export const eventsQuery = readerQuery.extend({
  project_id: projectId,
  limit: integerParam(1, MAX_EVENTS).prefault(DEFAULT_EVENTS),
});

export const projectEvents = z.object({
  project_id: z.string(),
  events: z.array(
    z.object({
      id: z.string(),
      project_id: z.string(),
      agent_id: z.string(),
      agent_name: z.string().optional(),
      kind: z.enum(['thought', 'action']),
      content: z.string(),
      run_id: z.string(),
      timestamp: isoDate,
    }),
  ),
});

export const listProjectsQuery = z.strictObject({
  limit: pageLimit,
  cursor: pageCursor(1_024).optional(),
});

export const projectList = z.object({
  projects: z.array(
    z.object({
      project_id: z.string(),
      overall_status: overallStatus,
      tasks,
      failed: z.number(),
      cancelled: z.number(),
      facts: z.number(),
      last_activity_at: isoDate.nullable(),
    }),
  ),
  next_cursor: z.string().nullable(),
});

export type ProjectStatusShape = z.infer<typeof projectStatus>;
export type ProjectEventsShape = z.infer<typeof projectEvents>;
export type ProjectListShape = z.infer<typeof projectList>;
