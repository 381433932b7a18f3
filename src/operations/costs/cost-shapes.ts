import { z } from 'zod';
import { isoDate, projectId, storable } from '../fields.ts';

const MAX_AGENT_CHARS = 128;
const MAX_KEY_CHARS = 256;

const usd = z.number().meta({ description: 'US dollars, exactly up to 15 digits.' });
/** A number, or the same as text for those who do not trust their JSON library with decimals. */
const givenUsd = z
  .union([z.number(), z.string().max(64)], { error: 'must be a decimal number' })
  .meta({ examples: [0.0125, '0.0125'] });
/** No call has as many; thousands of such reports can still be added without losing a token. */
const MAX_TOKENS = 999_999_999_999;
const givenTokens = z
  .union([z.int().min(0).max(MAX_TOKENS), z.string().regex(/^\d{1,12}$/)], {
    error: 'must be a whole number from 0 to 999999999999',
  })
  .meta({ examples: [1200] });
const agent = storable(MAX_AGENT_CHARS)
  .min(1)
  .meta({ description: 'Its id, slug or name.', examples: ['lince'] });

export const STATUSES = ['within_budget', 'near_limit', 'over_budget'] as const;

export const costSummary = z
  .object({
    project_id: z.string(),
    spent_usd: usd,
    budget_usd: usd.nullable().meta({ description: 'Null: the project has no budget.' }),
    remaining_usd: usd.nullable(),
    status: z.enum(STATUSES),
    control_actions: z.array(z.string()).meta({ description: 'What to do about it, for people.' }),
    agents: z.array(
      z.object({
        agent_id: z.string(),
        name: z.string(),
        tokens_in: z.int(),
        tokens_out: z.int(),
        estimated_usd: usd,
        last_activity: isoDate,
      }),
    ),
    updated_at: isoDate.nullable().meta({ description: 'Null: nothing was spent yet.' }),
  })
  .meta({ id: 'CostSummary' });

export const summaryQuery = z.strictObject({ project_id: projectId.optional() });

export const summaryBody = z
  .strictObject({ project_id: projectId, budget_usd: givenUsd })
  .meta({ examples: [{ project_id: 'proj_001', budget_usd: 20 }] });

export const usageHeaders = z.object({
  'idempotency-key': storable(MAX_KEY_CHARS).min(1).optional(),
});

export const usageBody = z
  .strictObject({
    project_id: projectId,
    agent_id: agent,
    agent_name: storable(MAX_AGENT_CHARS).min(1).optional(),
    tokens_in: givenTokens,
    tokens_out: givenTokens,
    cost_usd: givenUsd,
    timestamp: z.iso.datetime({ offset: true, error: 'must be an RFC 3339 time' }).optional(),
    key: storable(MAX_KEY_CHARS)
      .min(1)
      .optional()
      .meta({ description: 'As the header Idempotency-Key: the same again counts once.' }),
  })
  .meta({
    examples: [
      {
        project_id: 'proj_001',
        agent_id: 'lince',
        tokens_in: 1200,
        tokens_out: 300,
        cost_usd: 0.0125,
      },
    ],
  });

export const usageRecorded = z.object({ status: z.literal('recorded'), summary: costSummary });

const scopeFields = {
  scope: z.enum(['project', 'agent', 'day', 'run']),
  project_id: projectId.optional(),
  agent_id: agent.optional(),
};

export const budgetQuery = z.strictObject(scopeFields);

export const budgetBody = z
  .strictObject({
    ...scopeFields,
    budget_usd: givenUsd.nullable().optional(),
    budget_tokens: z.int().min(0).nullable().optional(),
  })
  .meta({ examples: [{ scope: 'project', project_id: 'proj_001', budget_usd: 20 }] });

export const budget = z
  .object({
    scope: z.enum(['project', 'agent', 'day', 'run']),
    project_id: z.string().nullable(),
    agent_id: z.string().nullable(),
    budget_usd: usd.nullable(),
    budget_tokens: z.int().nullable(),
    spent_usd: usd
      .nullable()
      .meta({ description: 'Null for runs, each of which has the whole budget.' }),
    spent_tokens: z.int().nullable(),
    reserved_usd: usd.nullable().meta({ description: 'What calls under way may cost at most.' }),
    reserved_tokens: z.int().nullable(),
    remaining_usd: usd.nullable(),
    remaining_tokens: z.int().nullable(),
    updated_at: isoDate,
  })
  .meta({ id: 'Budget' });

export const budgetList = z.object({ budgets: z.array(budget) });

export const budgetRemoved = z.object({ removed: z.literal(true) });

export type CostSummaryShape = z.infer<typeof costSummary>;
export type BudgetShape = z.infer<typeof budget>;
export type BudgetScopeShape = z.infer<typeof budgetQuery>;

const day = z.iso
  .date({ error: 'must be a day such as 2026-02-15' })
  .meta({ examples: ['2026-02-15'] });

export const seriesQuery = z.strictObject({
  by: z.enum(['total', 'agent', 'model', 'project']).default('total'),
  from: day.optional().meta({ description: 'The first day, in UTC; 29 days before the last.' }),
  through: day.optional().meta({ description: 'The last day; today when absent.' }),
});

export const costSeries = z.object({
  by: z.string(),
  from: z.string(),
  through: z.string(),
  series: z
    .array(
      z.object({
        id: z.string().meta({ description: 'Of the agent or project, or `provider/name`.' }),
        spent_usd: z.number(),
        days: z.array(
          z.object({
            day: z.string(),
            spent_usd: z.number(),
            tokens_in: z.int(),
            tokens_out: z.int(),
          }),
        ),
      }),
    )
    .meta({ description: 'The costliest first. Days without spending are left out.' }),
  truncated: z.boolean(),
});

export type CostSeriesShape = z.infer<typeof costSeries>;
