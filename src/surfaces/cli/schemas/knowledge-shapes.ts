import { z } from 'zod';
import { given, handoff, handoffList } from '../../../operations/handoffs/handoff-shapes.ts';
import {
  addedFact,
  factList,
  feed,
  graph,
  removedFact,
} from '../../../operations/knowledge/knowledge-shapes.ts';
import {
  projectEvents,
  projectList,
  projectStatus,
} from '../../../operations/projects/project-shapes.ts';
import { type AnswerShapes, count, via } from './answer-fields.ts';

const { status: transfer, ...transferred } = given.shape;
/** `error` and `status` are the envelope's own. */
const { error: failure, ...handoffMembers } = handoff.shape;

export const KNOWLEDGE_SHAPES: AnswerShapes = {
  handoff: z.object({ ...transferred, transfer, via }),
  'handoff list': handoffList.extend({ handoffs_count: count, via }),
  'handoff show': z.object({ ...handoffMembers, failure, via }),
  'knowledge feed': feed.extend({ entries_count: count, via }),
  'knowledge graph': graph.extend({ nodes_count: count, edges_count: count, via }),
  'knowledge facts': factList.extend({ facts_count: count, via }),
  'knowledge add': addedFact.extend({ via }),
  'knowledge forget': removedFact.extend({ via }),
  'projects list': projectList.extend({ projects_count: count, via }),
  'projects status': projectStatus.extend({ via }),
  'projects events': projectEvents.extend({ events_count: count, via }),
};
