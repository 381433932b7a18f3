import * as z from 'zod';
import { PROJECT_ID_PATTERN, PROJECT_ID_RULE } from '../../core/projects/project-id.ts';

export const projectField = (description: string) =>
  z
    .string({ error: 'project_id must be a string' })
    .regex(PROJECT_ID_PATTERN, `project_id ${PROJECT_ID_RULE}`)
    .describe(description);
