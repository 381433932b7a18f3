import { keep, readKept } from '../../../api/kept.ts';
import { createStore } from '../../../api/store.ts';

const KEY = 'chat.sent_late';
/** Older ones are far up in their chats; sent again they are still the same message. */
const MAX_KEPT = 200;

/** What came too late for its run and was sent as the next message. It is offered once, over reloads too. */
export const sentLate = createStore<readonly string[]>(read());

/** Of what a run was told: also its key, so that it is one message from whichever browser it is sent. */
export function lateIdOf(runId: string, toldKey: string): string {
  return `late_${runId}_${toldKey}`;
}

export function noteSentLate(id: string): void {
  // Read anew: another tab may have written meanwhile.
  const all = [...read().filter((one) => one !== id), id].slice(-MAX_KEPT);
  keep(KEY, JSON.stringify(all));
  sentLate.set(all);
}

function read(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(readKept(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
