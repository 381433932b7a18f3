import type { Query, QueryClient } from '@tanstack/react-query';
import { encodeRequest } from '../../../src/operations/client.ts';
import { streamAllEvents } from '../../../src/operations/events/events.ts';
import { parseEventStream } from '../../../src/operations/parse-event-stream.ts';
import { isOnlyAsked, isTold } from './freshness.ts';
import { createPaced } from './paced.ts';
import { pause } from './pause.ts';
import { readBytes } from './read-bytes.ts';
import { ask } from './send.ts';
import { resumeSession } from './session.ts';
import { session } from './session-state.ts';
import { createStore } from './store.ts';
import { type LiveFrame, type LiveState, onTabMessage, tellTabs } from './tabs.ts';
import { type Silence, watchSilence } from './watch-silence.ts';

export const live = createStore<LiveState>({ state: 'connecting' });

/** One event of any run, as the stream of all events tells it. */
export interface LiveEvent {
  readonly event_type: string;
  readonly run_id: string;
  readonly agent_id: string;
  readonly seq: number;
  readonly ts: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

type Listener = (event: LiveEvent) => void;

const listeners = new Set<Listener>();

export function onLiveEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

type MissedListener = () => void;

const missed = new Set<MissedListener>();

/** Anything may have happened that no event told of: whoever keeps what it read should read it again. */
export function onMissed(listener: MissedListener): () => void {
  missed.add(listener);
  return () => void missed.delete(listener);
}

function readAgain(queries: QueryClient): void {
  void queries.invalidateQueries({
    // Whoever asked and got no answer still waits for it.
    predicate: ({ queryKey, state }) => !isOnlyAsked(queryKey[1]) || state.status === 'error',
  });
  for (const listener of [...missed]) listener();
}

const RETRY_MS = [250, 500, 1_000, 2_000, 4_000, 8_000];
/** The first frame comes at once, and something every 15 seconds: longer than that, nobody is there any more. */
const PATIENCE = { firstMs: 8_000, laterMs: 40_000 };
/** How often everything is read again while nothing is told. */
const POLL_MS = 10_000;
/** Nouns whose lists an event may change, by the first word of its type. */
const CHANGED_BY: Readonly<Record<string, readonly string[]>> = {
  // Jobs are runs too.
  run: ['runs', 'status', 'sessions', 'costs', 'observability', 'projects', 'jobs', 'scheduler'],
  // Questions, and their answers.
  policy: ['approvals', 'status', 'sessions'],
  tool: ['tools', 'effects', 'status'],
};

/**
 * Keeps everything fresh for as long as somebody is signed in. A browser opens few connections to one server, so
 * one tab listens and tells the others; when it is closed another takes over.
 */
export function startLive(queries: QueryClient): () => void {
  const end = new AbortController();
  const refresh = createRefresh(queries);
  const take = (frames: readonly LiveFrame[]) => {
    for (const frame of frames) takeFrame(frame, { queries, refresh });
  };
  const stopHearing = onTabMessage((message) => {
    if (message.kind === 'live') take(message.frames);
    if (message.kind === 'live_state') setState(message.state, queries);
  });
  const poll = setInterval(() => {
    const { state } = live.get();
    if ((state === 'lost' || state === 'held') && !document.hidden) readAgain(queries);
  }, POLL_MS);
  const listen = (onFirst: () => void) =>
    listenOn(end.signal, { take, setState: (state) => setState(state, queries), onFirst });
  void whenAlone(end.signal, {
    first: () => listen(() => {}),
    // What happened while nobody listened was told to nobody.
    heir: () => listen(() => readAgain(queries)),
  }).catch(() => {});
  return () => {
    end.abort();
    clearInterval(poll);
    stopHearing();
    refresh.stop();
  };
}

interface Listeners {
  /** No other tab listens. */
  first(): Promise<void>;
  /** The one that did is gone. */
  heir(): Promise<void>;
}

async function whenAlone(signal: AbortSignal, { first, heir }: Listeners): Promise<void> {
  const { locks } = navigator;
  if (locks === undefined) return first();
  const isFirst = await locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await first();
    return lock !== null;
  });
  if (!isFirst) await locks.request(LOCK, { signal }, heir);
}

const LOCK = 'pincer.live';

interface Listening {
  readonly take: (frames: readonly LiveFrame[]) => void;
  /** The first frames are here: what happens from now on is told. */
  readonly onFirst: () => void;
  readonly setState: (state: LiveState) => void;
}

async function listenOn(signal: AbortSignal, listening: Listening): Promise<void> {
  const { take, setState, onFirst } = listening;
  let isFirst = true;
  const tell = (state: LiveState) => {
    setState(state);
    tellTabs({ kind: 'live_state', state });
  };
  let failures = 0;
  while (!signal.aborted) {
    const silence = watchSilence(PATIENCE);
    try {
      for await (const frames of openFrames(signal, silence)) {
        failures = 0;
        tell({ state: 'live' });
        if (isFirst) onFirst();
        isFirst = false;
        tellTabs({ kind: 'live', frames });
        take(frames);
      }
    } catch {
      // Told by the banner; tried again below.
    } finally {
      silence.stop();
    }
    const state = await explain(silence);
    if (signal.aborted) return;
    if (session.get().state === 'in') tell(state);
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0, signal);
    failures += 1;
  }
}

/** Why a connection ended. Where everything but news arrives, something on the way gathers before it passes on. */
async function explain({ signal, heardAtMs }: Silence): Promise<LiveState> {
  const sinceMs = heardAtMs ?? Date.now();
  const isHeld = signal.aborted && heardAtMs === undefined && (await resumeSession());
  return { state: isHeld ? 'held' : 'lost', sinceMs };
}

/** `silence` ends it when nothing comes: after a sleep of the machine, or behind a proxy that passes nothing on. */
async function* openFrames(signal: AbortSignal, silence: Silence) {
  const request = encodeRequest(streamAllEvents, { query: {} });
  const headers = { ...request.headers, accept: 'text/event-stream' };
  const response = await ask({ ...request, headers }, AbortSignal.any([signal, silence.signal]));
  yield* parseEventStream(readBytes(response, silence.hear));
}

function setState(state: LiveState, queries: QueryClient): void {
  const before = live.get();
  if (state.state === before.state) return;
  live.set(state);
  if (before.state === 'connecting' || state.state !== 'live') return;
  // What happened meanwhile was told to nobody, and the server may be another one.
  readAgain(queries);
  void resumeSession();
}

interface Refresh {
  add(nouns: readonly string[]): void;
  stop(): void;
}

function takeFrame(
  { event, data }: LiveFrame,
  { queries, refresh }: { readonly queries: QueryClient; readonly refresh: Refresh },
): void {
  if (event === 'ready') return;
  if (event === 'lagged') {
    readAgain(queries);
    return;
  }
  const told = JSON.parse(data) as LiveEvent;
  for (const listener of [...listeners]) listener(told);
  const [word = ''] = event.split('.');
  refresh.add(CHANGED_BY[word] ?? []);
}

function createRefresh(queries: QueryClient): Refresh {
  const waiting = new Set<string>();
  const predicate = ({ queryKey }: Query) => isTold(queryKey[1]);
  const paced = createPaced(() => {
    const nouns = [...waiting];
    waiting.clear();
    return Promise.all(
      nouns.map((noun) => queries.invalidateQueries({ queryKey: [noun], predicate })),
    );
  });
  return {
    add(nouns) {
      for (const noun of nouns) waiting.add(noun);
      if (waiting.size > 0) paced.ask();
    },
    stop: paced.stop,
  };
}
