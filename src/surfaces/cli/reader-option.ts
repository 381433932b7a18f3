import { parseAgentOption } from './admin-arguments.ts';

export const READER_OPTION = {
  kind: 'text',
  value: 'AGENT',
  summary: 'as this agent sees it; without it, what is shared',
} as const;

export function parseReader(reader: string | undefined, command: string): string | undefined {
  return reader === undefined ? undefined : parseAgentOption(reader, command);
}
