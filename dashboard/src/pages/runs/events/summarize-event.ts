import type { RunEvent } from '../../../api/use-run-events.ts';

const MAX_CHARS = 200;
/** What a person looks for first. */
const TELLING = [
  'message',
  'text',
  'tool',
  'summary',
  'decision',
  'reason',
  'model',
  'status',
  'owner',
];

/** One line of an event; all of it is a press away. */
export function summarize({ payload }: RunEvent): string {
  const words = TELLING.flatMap((name) => {
    const value = payload[name];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
  return words.join(' · ').slice(0, MAX_CHARS).replaceAll(/\s+/g, ' ');
}

export function countTypes(events: readonly RunEvent[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { event_type: type } of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}
