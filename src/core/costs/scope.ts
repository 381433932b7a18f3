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
  /** `provider/name`, where it is known: for reports alone, no budget is for a model. */
  readonly model?: string | undefined;
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

export function nameModelDay(model: string, day: string): string {
  return JSON.stringify(['day', day, 'model', model]);
}

/** Behind the names of all accounts of the days before, and before those of this one. */
export function nameDayStart(day: string): string {
  return `["day","${day}"`;
}

/** What an account of a day is about; undefined for all others. */
export function parseDayAccount(name: string): DayAccount | undefined {
  const [kind, day, by, id] = JSON.parse(name) as readonly (string | undefined)[];
  if (kind !== 'day' || day === undefined) return undefined;
  if (by === undefined || id === undefined) return { day, by: 'total', id: '' };
  return { day, by: by as 'project' | 'agent' | 'model', id };
}

export interface DayAccount {
  readonly day: string;
  readonly by: 'total' | 'project' | 'agent' | 'model';
  /** Empty for the total. */
  readonly id: string;
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
