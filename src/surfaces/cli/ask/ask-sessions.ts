import {
  getSession,
  type SessionReading,
  type SessionWriting,
} from '../../../operations/sessions/sessions.ts';
import type { CliContext } from '../program/context.ts';
import { naming } from '../program/errors.ts';
import { createSessionReader } from '../store-readers.ts';
import { askAt } from './ask-runtime.ts';
import { fromRuntime, fromStore, type Place } from './place.ts';

const SESSIONS: Place<SessionReading, SessionWriting> = {
  read: fromStore((store, { clock }) => ({ sessions: createSessionReader(store, clock) })),
  write: fromRuntime(({ sessions, agents }) => ({ sessions, agents })),
};

export const askSessions = askAt(SESSIONS);

/** Says which session was looked for when there is none. */
export function namingSession<T>(name: string, lookup: Promise<T>): Promise<T> {
  const hint = 'claw sessions list --include-closed shows the sessions there are';
  return naming({ thing: 'session', name, hint }, lookup);
}

/** Without a writer: a mistyped id must not create a state root. */
export async function assertSession(context: CliContext, id: string): Promise<void> {
  await namingSession(id, askSessions(context, getSession, { params: { session_id: id } }));
}
