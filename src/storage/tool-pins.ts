import type { ToolPin } from '../core/tools/tool-pin.ts';

/** A pin without what it is found by, as JSON. */
export function encodePin({ server: _, tool: __, ...pin }: ToolPin): string {
  return JSON.stringify(pin);
}

export function decodePin(row: {
  readonly server: string;
  readonly tool: string;
  readonly pin: string;
}): ToolPin {
  const server = JSON.parse(row.server) as string;
  const tool = JSON.parse(row.tool) as string;
  return { server, tool, ...(JSON.parse(row.pin) as Omit<ToolPin, 'server' | 'tool'>) };
}

/** By server and tool. Engines keep names as JSON strings, which sort differently. */
export function sortPins(pins: ToolPin[]): ToolPin[] {
  return pins.sort((a, b) => compare(a.server, b.server) || compare(a.tool, b.tool));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
