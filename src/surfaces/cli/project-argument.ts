import { parseError } from './program/errors.ts';
import { parseProject } from './project-option.ts';

/** For commands that make no sense without one. */
export function requireProject(project: string | undefined, command: string): string {
  const parsed = parseProject(project, command);
  if (parsed !== undefined) return parsed;
  throw parseError('option --project is missing', {
    target: command,
    hint: 'claw projects list shows the projects there are',
  });
}
