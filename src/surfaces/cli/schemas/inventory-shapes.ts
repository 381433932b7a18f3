import { z } from 'zod';
import { type AnswerShapes, count, texts } from './answer-fields.ts';

const sourceHint = z.string().meta({ description: 'the file that defines it' });
const entry = z
  .object({ name: z.string(), source_hint: sourceHint, responsibility: z.string() })
  .meta({ id: 'InventoryEntry' });
const effect = z.enum(['read', 'write']);

/** A command or tool that a prompt speaks of. */
export const routeMatch = z
  .object({
    kind: z.enum(['command', 'tool']),
    name: z.string(),
    score: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: "the share of the prompt's words that match" }),
    source_hint: sourceHint,
  })
  .meta({ id: 'RouteMatch' });

const shown = entry.extend({
  found: z.boolean(),
  resolved_name: z.string().meta({ description: 'its own name, when it was asked for by another' }),
});

/** What the program has: commands, tools, skills, plugins. */
export const INVENTORY_SHAPES: AnswerShapes = {
  'show-command': shown.extend({ origin: z.enum(['builtin', 'plugin', 'skill']) }),
  'show-tool': shown.extend({ aliases: texts, effect }),
  route: z.object({
    prompt: z.string(),
    limit: count,
    match_count: count,
    matches: z.array(routeMatch),
  }),
  'command-graph': z.object({
    builtins_count: count,
    plugin_like_count: count,
    skill_like_count: count,
    total_count: count,
    builtins: z.array(entry),
    plugin_like: z.array(entry),
    skill_like: z.array(entry),
    problems: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .meta({ description: 'skills and plugins that can not be used' }),
  }),
  'tool-pool': z.object({
    simple_mode: z.boolean(),
    include_mcp: z.boolean(),
    tool_count: count,
    tools: z.array(entry.extend({ effect })),
  }),
  'bootstrap-graph': z.object({ stages: texts, note: z.string() }),
};
