import { parseError } from '../../program/errors.ts';
import { parseProject, projectOption } from '../../project-option.ts';

export const BUDGET_SCOPES = ['project', 'agent', 'day', 'run'] as const;

export const SCOPE_OPTIONS = {
  project: projectOption('the project, for project and day'),
  agent: { kind: 'text', value: 'AGENT', summary: 'the agent, for agent and day' },
} as const;

interface GivenScope {
  readonly name: string | undefined;
  readonly project: string | undefined;
  readonly agent: string | undefined;
}

/** As the operations take it; what belongs together is for them to say. */
export function parseScope({ name, project, agent }: GivenScope, command: string) {
  const scope = BUDGET_SCOPES.find((one) => one === name);
  if (scope === undefined) {
    throw parseError(`unknown scope ${JSON.stringify(name)}`, {
      target: command,
      hint: `a budget is for one of ${BUDGET_SCOPES.join(', ')}`,
    });
  }
  return { scope, project_id: parseProject(project, command), agent_id: agent };
}
