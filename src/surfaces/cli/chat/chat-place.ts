import { userInfo } from 'node:os';
import { PLACE_NAME_PATTERN } from '../../../core/chat/place-name.ts';
import type { Place } from '../../../core/sessions/session.ts';

const CHAT_CHANNEL = 'cli';
const CHAT_ROOM = 'default';
const NOBODY = 'user';

/** Where conversations of the command line take place: one room per state root and user of the machine. */
export function findChatPlace(): Place {
  return { channel: CHAT_CHANNEL, userId: findUserName(), roomId: CHAT_ROOM };
}

function findUserName(): string {
  try {
    const { username } = userInfo();
    return PLACE_NAME_PATTERN.test(username) ? username : NOBODY;
  } catch {
    // In a container the user may have a number and no name.
    return NOBODY;
  }
}
