/** What a budget is for: a project, an agent, a calendar day in UTC (of all, of a project or of an agent), or any run. */
export type BudgetScope =
  | { readonly kind: 'project'; readonly projectId: string }
  | { readonly kind: 'agent'; readonly agentId: string }
  | { readonly kind: 'day'; readonly projectId?: string; readonly agentId?: string }
  | { readonly kind: 'run' };

/** Whose money is spent. */
export interface Spender {
  readonly projectId?: string | undefined;
  readonly agentId: string;
}

/** All scopes that hold for a spender, in one order. */
export function scopesOf({ projectId, agentId }: Spender): BudgetScope[] {
  return [
    ...(projectId === undefined ? [] : [{ kind: 'project' as const, projectId }]),
    { kind: 'agent', agentId },
    { kind: 'day' },
    ...(projectId === undefined ? [] : [{ kind: 'day' as const, projectId }]),
    { kind: 'day', agentId },
    { kind: 'run' },
  ];
}

/** Under which a budget is stored. JSON: ids may hold whatever separates them. */
export function nameScope(scope: BudgetScope): string {
  switch (scope.kind) {
    case 'project':
      return JSON.stringify(['project', scope.projectId]);
    case 'agent':
      return JSON.stringify(['agent', scope.agentId]);
    case 'day':
      return JSON.stringify(['day', ...partOf(scope)]);
    case 'run':
      return JSON.stringify(['run']);
  }
}

/** Where what a scope has spent is counted; undefined for runs, which are counted one by one. */
export function nameAccount(scope: BudgetScope, day: string): string | undefined {
  if (scope.kind === 'run') return undefined;
  return scope.kind === 'day' ? JSON.stringify(['day', day, ...partOf(scope)]) : nameScope(scope);
}

export function nameShare(projectId: string, agentId: string): string {
  return JSON.stringify(['share', projectId, agentId]);
}

function partOf({ projectId, agentId }: { projectId?: string; agentId?: string }): string[] {
  if (projectId !== undefined) return ['project', projectId];
  return agentId === undefined ? [] : ['agent', agentId];
}

export function describeScope(scope: BudgetScope): string {
  switch (scope.kind) {
    case 'project':
      return `project ${scope.projectId}`;
    case 'agent':
      return `agent ${scope.agentId}`;
    case 'run':
      return 'the run';
    case 'day': {
      const [kind, id] = partOf(scope);
      return kind === undefined ? 'the day' : `the day of ${kind} ${id}`;
    }
  }
}

/** `2026-11-16`, in UTC. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
