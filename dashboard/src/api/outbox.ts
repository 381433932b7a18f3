import { RuntimeError } from '../../../src/core/errors.ts';
import { createRun } from '../../../src/operations/runs/runs.ts';
import { forkSession, openSession } from '../../../src/operations/sessions/sessions.ts';
import { client } from './client.ts';
import { describeError } from './describe-error.ts';
import { keep, OUTBOX_KEY, readKept } from './kept.ts';
import { live } from './live.ts';
import { Unreachable } from './send.ts';
import { untilSignedIn } from './session-state.ts';
import { createStore } from './store.ts';

/** Where a message goes. What does not exist yet is made on the way, once, however often it is tried. */
export type Destination =
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'new'; readonly roomId: string }
  | {
      readonly kind: 'fork';
      readonly from: string;
      readonly throughExchange: number;
      readonly sessionId: string;
    };

/** A message on its way. It is kept until the server has it, over reloads and restarts of either side. */
export interface Outgoing {
  /** Also its idempotency key: sent twice, it is one message. */
  readonly id: string;
  readonly to: Destination;
  readonly agentId: string;
  readonly text: string;
  readonly state: 'sending' | 'waiting' | 'refused' | 'sent';
  readonly problem?: string;
  /** Once they are known. */
  readonly sessionId?: string;
  readonly runId?: string;
}

export interface Sent {
  readonly sessionId: string;
  readonly runId: string;
}

const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000];
/** How the pages' conversations are found by whoever lists sessions elsewhere. */
const PLACE = { channel: 'dashboard', user_id: 'operator' } as const;

export const outbox = createStore<readonly Outgoing[]>(readStored());

const underWay = new Set<string>();

/** What a former visit left is sent now; what was refused waits for somebody to say so. */
export function startOutbox(): void {
  const known = new Set(outbox.get().map(({ id }) => id));
  outbox.set([...outbox.get(), ...readStored().filter(({ id }) => !known.has(id))]);
  for (const entry of outbox.get()) {
    const isOpen = entry.state === 'sending' || entry.state === 'waiting';
    if (isOpen && !underWay.has(entry.id)) void deliver(entry).catch(() => {});
  }
}

/** Resolves once the server has it; rejects when it refused. */
export function post(
  message: Pick<Outgoing, 'to' | 'agentId' | 'text'>,
  id: string = crypto.randomUUID(),
): Promise<Sent> {
  const entry: Outgoing = { ...message, id, state: 'sending' };
  outbox.set([...outbox.get().filter((one) => one.id !== id), entry]);
  store(entry);
  return deliver(entry);
}

/** The same once more, after it was refused. */
export function postAgain(entry: Outgoing): Promise<Sent> {
  return post({ to: entry.to, agentId: entry.agentId, text: entry.text }, entry.id);
}

export function discard(id: string): void {
  outbox.set(outbox.get().filter((entry) => entry.id !== id));
  unstore(id);
}

/** What a conversation shows by itself now need not be shown from here, also when its page is no longer the newest. */
export function settleShown(isShown: (runId: string) => boolean): void {
  const left = outbox.get().filter(({ runId }) => runId === undefined || !isShown(runId));
  if (left.length < outbox.get().length) outbox.set(left);
}

/** Whether it belongs into this conversation; undefined is the one that is not begun. */
export function isFor({ to, sessionId }: Outgoing, place: string | undefined): boolean {
  const known = sessionId ?? (to.kind === 'new' ? undefined : to.sessionId);
  return known === place;
}

async function deliver(entry: Outgoing): Promise<Sent> {
  underWay.add(entry.id);
  try {
    return await tryUntilSent(entry);
  } finally {
    underWay.delete(entry.id);
  }
}

async function tryUntilSent(entry: Outgoing): Promise<Sent> {
  // Where nothing can be kept, only this page knows of it.
  const isKept = isStored(entry.id);
  for (let failures = 0; ; failures += 1) {
    await untilSignedIn();
    // Somebody may have discarded it meanwhile, here or in another tab; that one may have sent it, too.
    if (!isShown(entry.id) || (isKept && !isStored(entry.id))) {
      discard(entry.id);
      throw new Error('It was discarded.');
    }
    // From here on it can't be called back.
    change(entry.id, { state: 'sending' });
    try {
      const sessionId = await reachSession(entry);
      const body = { agent_id: entry.agentId, session_id: sessionId, message: entry.text };
      const { id: runId } = await client.call(createRun, {
        headers: { 'idempotency-key': entry.id },
        body,
      });
      unstore(entry.id);
      // Not before: until then it is shown where it was written.
      change(entry.id, { state: 'sent', sessionId, runId });
      return { sessionId, runId };
    } catch (error) {
      const problem = describeError(error);
      if (!isPassing(error)) {
        change(entry.id, { state: 'refused', problem });
        store({ ...entry, state: 'refused', problem });
        throw error;
      }
      change(entry.id, { state: 'waiting', problem });
      await untilTried(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0);
    }
  }
}

async function reachSession({ to, agentId }: Outgoing): Promise<string> {
  if (to.kind === 'session') return to.sessionId;
  if (to.kind === 'new') return openChat(to.roomId, agentId);
  try {
    await client.call(forkSession, {
      params: { session_id: to.from },
      body: { through_exchange: to.throughExchange, session_id: to.sessionId },
    });
  } catch (error) {
    // It was made by the try before, whose answer got lost.
    if (!(error instanceof RuntimeError && error.code === 'conflict')) throw error;
  }
  return to.sessionId;
}

function isPassing(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  return error instanceof RuntimeError && (error.retryable || error.code === 'unauthenticated');
}

/** Ends early when the server is back. */
function untilTried(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(done, ms);
    const stop = live.subscribe(() => live.get().state === 'live' && done());
  });
}

const isShown = (id: string) => outbox.get().some((entry) => entry.id === id);

const isStored = (id: string) => readStored().some((entry) => entry.id === id);

function change(id: string, next: Partial<Outgoing>): void {
  outbox.set(outbox.get().map((entry) => (entry.id === id ? { ...entry, ...next } : entry)));
}

function readStored(): readonly Outgoing[] {
  try {
    const stored = JSON.parse(readKept(OUTBOX_KEY) ?? '[]') as readonly Outgoing[];
    return stored.map((entry) =>
      entry.state === 'refused' ? entry : { ...entry, state: 'sending' },
    );
  } catch {
    return [];
  }
}

/** Read anew each time: another tab may have written meanwhile. */
function store(entry: Outgoing): void {
  const others = readStored().filter(({ id }) => id !== entry.id);
  keep(OUTBOX_KEY, JSON.stringify([...others, entry]));
}

function unstore(id: string): void {
  const left = readStored().filter((entry) => entry.id !== id);
  keep(OUTBOX_KEY, left.length === 0 ? undefined : JSON.stringify(left));
}

/** The conversation of a room of its own; asked for again it is the same one. */
export async function openChat(roomId: string, agentId: string): Promise<string> {
  const body = { ...PLACE, agent_id: agentId, room_id: roomId, messages: [] };
  return (await client.call(openSession, { body })).session_id;
}

export const newRoom = () => `chat_${crypto.randomUUID()}`;

/** The conversation as it was before that exchange. */
export function forkBefore(sessionId: string, exchange: number): Destination {
  return {
    kind: 'fork',
    from: sessionId,
    throughExchange: exchange - 1,
    sessionId: `session_${crypto.randomUUID()}`,
  };
}
