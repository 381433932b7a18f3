import * as z from 'zod';
import { RuntimeError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { ToolDescription } from '../loop/model.ts';
import type { Tool } from './tool.ts';

/** The tools of a runtime, found by name or alias, whatever the letter case. */
export interface ToolRegistry {
  find(name: string): Tool | undefined;
  list(): readonly Tool[];
  /** What a model is told about the tools it may use. */
  describe(isGranted: (tool: Tool) => boolean): readonly ToolDescription[];
}

export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    for (const name of [tool.name, ...tool.aliases]) {
      const key = name.toLowerCase();
      if (byName.has(key)) throw new RuntimeError('conflict', `tool name ${name} is taken`);
      byName.set(key, tool);
    }
  }
  const sorted = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  const schemas = new Map<Tool, JsonObject>();

  return {
    find: (name) => byName.get(name.toLowerCase()),

    list: () => sorted,

    describe: (isGranted) =>
      sorted.filter(isGranted).map((tool) => {
        const inputSchema = schemas.get(tool) ?? inputSchemaOf(tool);
        schemas.set(tool, inputSchema);
        return { name: tool.name, description: tool.description, inputSchema };
      }),
  };
}

/** The JSON Schema of what a tool takes, without the keyword that some providers refuse. */
export function inputSchemaOf(tool: Tool): JsonObject {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.input, { io: 'input' });
  return schema as JsonObject;
}
