import { RuntimeError } from '../errors.ts';
import type { Place } from '../sessions/session.ts';
import type { MessageLimits } from './message-rate.ts';

export interface ChatRules extends MessageLimits {
  readonly enabled: boolean;
  /** Empty: everybody. */
  readonly allowUsers: readonly string[];
  /** Empty: every room. */
  readonly allowRooms: readonly string[];
}

/** Names are compared to the letter: two users whose names differ in case only are two users. */
export function assertAllowed(rules: ChatRules, { userId, roomId }: Place): void {
  if (!rules.enabled) {
    throw new RuntimeError('not_found', 'chat is switched off (chat.enabled)', {
      details: { part: 'chat' },
    });
  }
  if (rules.allowUsers.length > 0 && !rules.allowUsers.includes(userId)) {
    throw rejected(`user ${userId} is not in chat.allow_users`);
  }
  if (rules.allowRooms.length > 0 && !rules.allowRooms.includes(roomId)) {
    throw rejected(`room ${roomId} is not in chat.allow_rooms`);
  }
}

function rejected(message: string): RuntimeError {
  return new RuntimeError('policy_denied', message, { details: { part: 'chat' } });
}
