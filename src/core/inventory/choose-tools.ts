import type { ToolEntry } from './inventory-entry.ts';

export interface ToolChoice {
  /** Only what a coding agent can't do without. */
  readonly isSimple: boolean;
  readonly includesMcp: boolean;
  /** Whole names, aliases too. */
  readonly deniedNames: readonly string[];
  /** Beginnings of names, of aliases too: denying a tool under one name must not leave it under another. */
  readonly deniedPrefixes: readonly string[];
}

const SIMPLE_TOOLS: ReadonlySet<string> = new Set(['shell.exec', 'fs.read', 'fs.edit']);

/** The tools that are left, in their order. Letter case makes no difference. */
export function chooseTools(tools: readonly ToolEntry[], choice: ToolChoice): ToolEntry[] {
  const names = new Set(choice.deniedNames.map((name) => name.toLowerCase()));
  const prefixes = choice.deniedPrefixes.map((prefix) => prefix.toLowerCase());
  const isDenied = (name: string) =>
    names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
  return tools.filter(
    (tool) =>
      (!choice.isSimple || SIMPLE_TOOLS.has(tool.name)) &&
      (choice.includesMcp || tool.origin !== 'mcp') &&
      ![tool.name, ...tool.aliases].some((name) => isDenied(name.toLowerCase())),
  );
}
