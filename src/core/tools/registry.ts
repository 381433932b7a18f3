import { RuntimeError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { ToolDescription } from '../loop/model.ts';
import { inputSchemaOf } from './input-schema.ts';
import type { Tool } from './tool.ts';

/** The tools of a runtime, found by name or alias, whatever the letter case. */
export interface ToolRegistry {
  find(name: string): Tool | undefined;
  list(): readonly Tool[];
  /** What a model is told about the tools it may use. */
  describe(isGranted: (tool: Tool) => boolean): readonly ToolDescription[];
  /**
   * Puts these tools in place of all that `source` brought before; an empty list takes them away. Throws `conflict`,
   * and changes nothing, when a name belongs to another source. Calls under way keep the tool they started with.
   */
  replace(source: string, tools: readonly Tool[]): void;
}

/** What the registry was created with; no later source can take its names. */
const FIRST_SOURCE = '';

export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const bySource = new Map<string, readonly Tool[]>();
  const schemas = new WeakMap<Tool, JsonObject>();
  let index = indexTools([]);

  function replace(source: string, replacement: readonly Tool[]): void {
    const next = new Map(bySource).set(source, replacement);
    index = indexTools([...next.values()].flat());
    bySource.set(source, replacement);
  }
  replace(FIRST_SOURCE, tools);

  return {
    find: (name) => index.byName.get(name.toLowerCase()),

    list: () => index.sorted,

    describe: (isGranted) =>
      index.sorted.filter(isGranted).map((tool) => {
        const inputSchema = schemas.get(tool) ?? inputSchemaOf(tool);
        schemas.set(tool, inputSchema);
        return { name: tool.name, description: tool.description, inputSchema };
      }),

    replace,
  };
}

function indexTools(tools: readonly Tool[]) {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    for (const name of [tool.name, ...tool.aliases]) {
      const key = name.toLowerCase();
      if (byName.has(key)) throw new RuntimeError('conflict', `tool name ${name} is taken`);
      byName.set(key, tool);
    }
  }
  return { byName, sorted: [...tools].sort((a, b) => (a.name < b.name ? -1 : 1)) };
}
