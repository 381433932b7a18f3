import { defined } from '../defined.ts';
import type { SessionId } from '../ids.ts';
import type { MessagePlace, SessionMessage } from './session.ts';
import type { SessionStore } from './session-store.ts';

export interface WalkBack {
  readonly sessionId: SessionId;
  /** Where to begin: messages before this place; absent: with the newest. */
  readonly before?: MessagePlace;
  readonly maxMessages: number;
}

const PAGE_SIZE = 50;

/**
 * Shows messages one by one, from the newest back, for as long as `visit` answers true. True when it stopped short of
 * messages that would have been of use, because it had shown as many as it may.
 */
export async function walkBack(
  store: Pick<SessionStore, 'readMessages'>,
  { sessionId, before, maxMessages }: WalkBack,
  visit: (message: SessionMessage) => boolean,
): Promise<boolean> {
  let end = before;
  for (let looked = 0; looked < maxMessages; looked += PAGE_SIZE) {
    const page = await store.readMessages(sessionId, {
      limit: PAGE_SIZE,
      ...defined({ before: end }),
    });
    for (const message of page.toReversed()) if (!visit(message)) return false;
    const [oldest] = page;
    if (!oldest || page.length < PAGE_SIZE) return false;
    end = { exchange: oldest.exchange, position: oldest.position };
  }
  return true;
}
