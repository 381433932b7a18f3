import type { EntryQueryShape } from '../../../../src/operations/audit/audit-shapes.ts';
import { toInstant } from '../../kit/format.ts';

/** Fields of the filter, as they stand in the address. */
export const FILTERS = ['q', 'types', 'agent_id', 'run_id', 'since', 'until'] as const;
export type Filter = (typeof FILTERS)[number];

/** What the address asks for. A day without a time means its beginning, here. */
export function toQuery(parameters: URLSearchParams): EntryQueryShape {
  const given = FILTERS.flatMap((name) => {
    const value = parameters.get(name)?.trim() ?? '';
    return value === '' ? [] : [[name, isTime(name) ? toInstant(value) : value]];
  });
  return Object.fromEntries(given) as EntryQueryShape;
}

function isTime(name: Filter): boolean {
  return name === 'since' || name === 'until';
}
