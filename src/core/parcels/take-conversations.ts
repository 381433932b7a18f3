import type { Ids, SessionId } from '../ids.ts';
import { isBehind, type SessionMessage } from '../sessions/session.ts';
import type { Counter } from './count-rows.ts';
import { decodeMessage, decodeSession, decodeSummary, type Ownership } from './decode-rows.ts';
import type { StagedImport } from './import-store.ts';
import { unfit } from './parcel-faults.ts';
import type { ParcelEntry } from './parcel-format.ts';
import { parseLines } from './parcel-lines.ts';
import { type ParcelMessage, type ParcelSession, parcelConversation } from './parcel-shapes.ts';

export interface TakeConversationsDeps {
  readonly ids: Pick<Ids, 'session'>;
  readonly ownership: Ownership;
  readonly counter: Counter;
  readonly add: StagedImport['add'];
  /** False: it is left out. */
  readonly isTaken: (owner: string) => boolean;
}

export interface Conversations {
  take(entry: ParcelEntry): Promise<void>;
  /** What a session that came along is called here. `left_out` for one that did not come in. */
  find(id: string): SessionId | 'left_out' | undefined;
}

const PAGE = 200;

/** Each session and, behind it, its messages, newest first. */
export function createConversations(deps: TakeConversationsDeps): Conversations {
  const { ownership, counter, add } = deps;
  const known = new Map<string, SessionId | 'left_out'>();
  /** A fork may come before what it branched off from. */
  const promised = new Map<string, SessionId>();
  let current: SessionId | 'left_out' | undefined;
  let last: ParcelMessage | undefined;
  let page: SessionMessage[] = [];

  function promise(id: string): SessionId {
    const given = promised.get(id) ?? deps.ids.session();
    promised.set(id, given);
    return given;
  }

  async function flush(): Promise<void> {
    if (page.length === 0 || current === undefined || current === 'left_out') return;
    const messages = page;
    page = [];
    await add({ step: 'messages', sessionId: current, messages });
  }

  async function begin(row: ParcelSession): Promise<void> {
    await flush();
    if (known.has(row.id)) throw unfit(`session ${row.id} is in it twice`);
    last = undefined;
    current = deps.isTaken(row.owner) ? promise(row.id) : 'left_out';
    known.set(row.id, current);
    if (current === 'left_out') return;
    counter.count('sessions');
    const forkedFrom = row.forked_from === null ? undefined : promise(row.forked_from);
    const session = decodeSession(row, { id: current, forkedFrom }, ownership);
    const summary = decodeSummary(row, ownership);
    await add({ step: 'session', session, ...(summary && { summary }) });
  }

  async function say(row: ParcelMessage): Promise<void> {
    if (current === undefined) throw unfit('a message stands before the first session');
    if (last && !isBehind(last, row)) throw unfit('the messages of a session are out of order');
    last = row;
    if (current === 'left_out') return;
    counter.count('messages');
    page.push(decodeMessage(row, ownership));
    if (page.length >= PAGE) await flush();
  }

  return {
    async take(entry) {
      for (const row of parseLines(entry, parcelConversation)) {
        if (row.type === 'session') await begin(row);
        else await say(row);
      }
      await flush();
    },
    find: (id) => known.get(id),
  };
}
