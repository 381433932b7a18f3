import type { RunId } from '../ids.ts';
import type { Event } from './event.ts';
import type { EventLog, ReadPage } from './event-log.ts';
import { isStaleCursor } from './stale-cursor.ts';

/** A janitor may be cutting the very log that is read: each time its floor rises the reader tries once more. */
const MAX_ATTEMPTS = 10;

/**
 * For readers that want what there is, wherever it begins: below the floor they get the first events kept. The first
 * `seq` tells whether something was left out.
 */
export async function readKept(
  log: Pick<EventLog, 'read' | 'floor'>,
  runId: RunId,
  page: ReadPage,
): Promise<Event[]> {
  let { after } = page;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await log.read(runId, { after, limit: page.limit });
    } catch (thrown) {
      if (!isStaleCursor(thrown) || attempt === MAX_ATTEMPTS) throw thrown;
      after = await log.floor(runId);
    }
  }
}
