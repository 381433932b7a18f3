import type { QueryClient } from '@tanstack/react-query';
import { encodeRequest } from '../../../src/operations/client.ts';
import { streamAllEvents } from '../../../src/operations/events/events.ts';
import { parseEventStream } from '../../../src/operations/parse-event-stream.ts';
import { pause } from './pause.ts';
import { readBytes } from './read-bytes.ts';
import { ask } from './send.ts';
import { session } from './session-state.ts';
import { createStore } from './store.ts';
import { type LiveFrame, type LiveNews, onTabMessage, tellTabs } from './tabs.ts';

/** Whether what is shown is how it is. `sinceMs`: since when it may not be. */
export type LiveState =
  | { readonly state: 'connecting' | 'live' }
  | { readonly state: 'lost' | 'held'; readonly sinceMs: number };

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

const RETRY_MS = [250, 500, 1_000, 2_000, 4_000, 8_000];
/** The first frame comes at once, and something every 15 seconds: longer than that, nobody is there any more. */
const FIRST_MS = 8_000;
const QUIET_MS = 40_000;
/** How often everything is read again while nothing is told. */
const POLL_MS = 10_000;
/** Lists are read again at most this often, however much happens. */
const REFRESH_MS = 800;
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
    if (state === 'lost' || state === 'held') void queries.invalidateQueries();
  }, POLL_MS);
  const listen = () =>
    listenOn(end.signal, { take, setState: (state) => setState(state, queries) });
  if (navigator.locks === undefined) void listen();
  else void navigator.locks.request('pincer.live', { signal: end.signal }, listen).catch(() => {});
  return () => {
    end.abort();
    clearInterval(poll);
    stopHearing();
    refresh.stop();
  };
}

interface Listening {
  readonly take: (frames: readonly LiveFrame[]) => void;
  readonly setState: (state: LiveNews) => void;
}

async function listenOn(signal: AbortSignal, { take, setState }: Listening): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const quiet = new AbortController();
    try {
      for await (const frames of openFrames(signal, quiet)) {
        failures = 0;
        setState('live');
        tellTabs({ kind: 'live_state', state: 'live' });
        tellTabs({ kind: 'live', frames });
        take(frames);
      }
    } catch {
      // Told by the banner; tried again below.
    }
    if (signal.aborted) return;
    if (session.get().state === 'in') {
      const state = quiet.signal.aborted ? 'held' : 'lost';
      setState(state);
      tellTabs({ kind: 'live_state', state });
    }
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0, signal);
    failures += 1;
  }
}

/** `quiet` ends it when nothing comes: after a sleep of the machine, or behind a proxy that gathers before it passes on. */
async function* openFrames(signal: AbortSignal, quiet: AbortController) {
  const request = encodeRequest(streamAllEvents, { query: {} });
  const headers = { ...request.headers, accept: 'text/event-stream' };
  let timer = setTimeout(() => quiet.abort(), FIRST_MS);
  const hear = () => {
    clearTimeout(timer);
    timer = setTimeout(() => quiet.abort(), QUIET_MS);
  };
  try {
    const both = AbortSignal.any([signal, quiet.signal]);
    const response = await ask({ ...request, headers }, both);
    yield* parseEventStream(readBytes(response, hear));
  } finally {
    clearTimeout(timer);
  }
}

function setState(state: LiveNews, queries: QueryClient): void {
  const before = live.get();
  if (state === before.state) return;
  live.set(state === 'live' ? { state } : { state, sinceMs: Date.now() });
  // What happened meanwhile was told to nobody.
  if (before.state !== 'connecting' && state === 'live') void queries.invalidateQueries();
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
  if (event === 'lagged') return void queries.invalidateQueries();
  const told = JSON.parse(data) as LiveEvent;
  for (const listener of [...listeners]) listener(told);
  const [word = ''] = event.split('.');
  refresh.add(CHANGED_BY[word] ?? []);
}

function createRefresh(queries: QueryClient): Refresh {
  const waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    timer = undefined;
    for (const noun of waiting) void queries.invalidateQueries({ queryKey: [noun] });
    waiting.clear();
  };
  return {
    add(nouns) {
      for (const noun of nouns) waiting.add(noun);
      if (waiting.size > 0) timer ??= setTimeout(run, REFRESH_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
