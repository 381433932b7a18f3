import { PROJECT_ID_PATTERN, PROJECT_ID_RULE } from '../../core/projects/project-id.ts';
import { parseError } from './program/errors.ts';

export const projectOption = (summary: string) => ({ kind: 'text', value: 'ID', summary }) as const;

export function parseProject(project: string | undefined, target: string): string | undefined {
  if (project === undefined || PROJECT_ID_PATTERN.test(project)) return project;
  throw parseError(`option --project ${PROJECT_ID_RULE} (it is ${JSON.stringify(project)})`, {
    target,
  });
}
