import type { ToolDescription } from '../model.ts';

/**
 * What a model could choose from, in one text for the log: redaction looks at one string and not at one for each tool.
 * Names hold no blanks. Those of an older log are not known, and leave nothing.
 */
export function encodeToolNames(tools: readonly Pick<ToolDescription, 'name'>[]): string {
  const known = encoded.get(tools);
  if (known !== undefined) return known;
  const names = tools
    .map(({ name }) => name)
    .join(' ')
    .trim();
  encoded.set(tools, names);
  return names;
}

/** Most turns are offered the very list of the turn before. */
const encoded = new WeakMap<readonly Pick<ToolDescription, 'name'>[], string>();

export function decodeToolNames(names: string): readonly string[] {
  return names === '' ? [] : names.split(' ');
}
