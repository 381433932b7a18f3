import type { CommandSchema } from './command-schema.ts';
import { count, described, flag, list, object, oneOf, text, texts } from './json-schema.ts';

const sourceHint = described(text, 'the file that defines it');
const entry = { name: text, source_hint: sourceHint, responsibility: text };
const effect = oneOf('read', 'write');

/** A command or tool that a prompt speaks of. */
export const routeMatch = object({
  kind: oneOf('command', 'tool'),
  name: text,
  score: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    description: "the share of the prompt's words that match",
  },
  source_hint: sourceHint,
});

const shown = {
  ...entry,
  found: flag,
  resolved_name: described(text, 'its own name, when it was asked for by another'),
};

/** What the program has: commands, tools, skills, plugins. */
export const INVENTORY_SCHEMAS: Readonly<Record<string, CommandSchema>> = {
  'show-command': { fields: { ...shown, origin: oneOf('builtin', 'plugin', 'skill') } },
  'show-tool': { fields: { ...shown, aliases: texts, effect } },
  route: {
    fields: { prompt: text, limit: count, match_count: count, matches: list(routeMatch) },
  },
  'command-graph': {
    fields: {
      builtins_count: count,
      plugin_like_count: count,
      skill_like_count: count,
      total_count: count,
      builtins: list(object(entry)),
      plugin_like: list(object(entry)),
      skill_like: list(object(entry)),
      problems: described(
        list(object({ path: text, message: text })),
        'skills and plugins that can not be used',
      ),
    },
  },
  'tool-pool': {
    fields: {
      simple_mode: flag,
      include_mcp: flag,
      tool_count: count,
      tools: list(object({ ...entry, effect })),
    },
  },
  'bootstrap-graph': { fields: { stages: texts, note: text } },
};
