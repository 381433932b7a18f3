import { parseAgentOption } from './admin-arguments.ts';

/** Whose view is asked for, of whatever agents may keep to themselves. */
export const READER_OPTION = {
  as: { kind: 'text', value: 'AGENT', summary: 'as this agent sees it; else what is shared' },
} as const;

export function parseReader(as: string | undefined, command: string): string | undefined {
  return as === undefined ? undefined : parseAgentOption(as, command);
}
