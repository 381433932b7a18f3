import type { Projects } from '../../core/projects/projects.ts';
import { decodeOnlooker } from '../knowledge/knowledge-codec.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import {
  decodeProjectCursor,
  encodeProjectStatus,
  encodeProjects,
  encodeTimeline,
} from './project-codec.ts';

export interface ProjectReading {
  readonly projects: Projects;
}

const define = operationsWith(() => import('./project-shapes.ts'));

const TAGS = ['projects'];
const ERRORS = [400, 401, 403, 429, 500, 503] as const;
const PROJECTS = '/api/projects';

export const listProjects = define({
  name: 'projects.list',
  method: 'GET',
  path: PROJECTS,
  effect: 'read',
  summary: 'List projects',
  description: 'Those with runs, hand-offs or facts, by id. Pages by cursor.',
  tags: TAGS,
  errors: ERRORS,
  wire: ({ listProjectsQuery, projectList }) => ({
    query: listProjectsQuery,
    answers: { 200: answer('One page of projects.', projectList) },
  }),
  async run({ projects }: ProjectReading, { query: { limit, cursor } }) {
    const after = cursor === undefined ? {} : { after: decodeProjectCursor(cursor) };
    return encodeProjects(await projects.list({ limit, ...after }));
  },
});

export const readProjectStatus = define({
  name: 'projects.status',
  method: 'GET',
  path: `${PROJECTS}/status`,
  effect: 'read',
  summary: 'How a project is doing',
  description:
    'Counted from its runs and hand-offs: todo is queued, waiting and not yet delivered, doing is running, done is completed. ' +
    'A project that nobody has named is idle.',
  tags: TAGS,
  errors: ERRORS,
  wire: ({ statusQuery, projectStatus }) => ({
    query: statusQuery,
    answers: { 200: answer('How it is now.', projectStatus) },
  }),
  run: async ({ projects }: ProjectReading, { query }) =>
    encodeProjectStatus(await projects.status(query.project_id)),
});

export const readProjectEvents = define({
  name: 'projects.events',
  method: 'GET',
  path: `${PROJECTS}/events`,
  effect: 'read',
  summary: 'What goes on in a project',
  description:
    'What agents say to themselves and do, from the logs of their runs; newest first. Of an agent that keeps its memory to ' +
    'itself others see what it does and not what it says.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 429, 500, 503],
  wire: ({ eventsQuery, readerHeaders, projectEvents }) => ({
    query: eventsQuery,
    headers: readerHeaders,
    answers: { 200: answer('The newest events.', projectEvents) },
  }),
  async run({ projects }: ProjectReading, { query, headers }) {
    const { project_id: projectId, agent_id: reader, limit } = query;
    const onlooker = decodeOnlooker(reader, headers['x-clawos-agent-id']);
    return encodeTimeline(projectId, await projects.events({ ...onlooker, projectId, limit }));
  },
});

/** In the order of the documentation. */
export const PROJECT_OPERATIONS: readonly AnyOperation<ProjectReading>[] = [
  listProjects,
  readProjectStatus,
  readProjectEvents,
];
