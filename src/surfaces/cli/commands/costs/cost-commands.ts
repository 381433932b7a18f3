import type { CommandEntry } from '../../program/command-entry.ts';

export const COST_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'costs summary',
    summary: 'What a project has cost, and what is left of its budget',
    group: 'Decide',
    load: async () => (await import('./costs-summary.ts')).costsSummary,
  },
  {
    name: 'costs usage',
    summary: 'Report what was spent elsewhere',
    group: 'Decide',
    load: async () => (await import('./costs-usage.ts')).costsUsage,
  },
  {
    name: 'costs budgets',
    summary: 'List budgets',
    group: 'Decide',
    load: async () => (await import('./costs-budgets.ts')).costsBudgets,
  },
  {
    name: 'costs set-budget',
    summary: 'Cap what a project, an agent, a day or a run may spend',
    group: 'Decide',
    load: async () => (await import('./costs-set-budget.ts')).costsSetBudget,
  },
  {
    name: 'costs unset-budget',
    summary: 'Take a budget away',
    group: 'Decide',
    load: async () => (await import('./costs-unset-budget.ts')).costsUnsetBudget,
  },
];
