import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { createWakeupHub } from '../../storage/wakeup-hub.ts';
import type { RunId } from '../ids.ts';
import { takeTurn } from '../take-turn.ts';
import type { Event, NewsEvent } from './event.ts';
import { createFollowRun, type FollowRun } from './follow-run.ts';
import { isStaleCursor, staleCursor } from './stale-cursor.ts';
import { tailRun } from './tail-run.ts';

const RUN = 'run_1' as RunId;
const IDLE_MS = 1_000;
/** Each reader may catch up, join and look again in one turn; whoever needs more goes round in circles. */
const MAX_READS_PER_READER_AND_TURN = 12;
const MAX_TURNS_TO_END = 120;

/** `full` has no room until it is given some, `brief` only for an instant. */
type Pace = 'quick' | 'brief' | 'full';

type Step =
  | {
      readonly kind: 'arrive';
      /** Where it begins, counted from the start of the log or from its end, which may lie behind it. */
      readonly from: 'start' | 'end';
      readonly cursor: number;
      readonly pace: Pace;
      readonly asks: boolean;
    }
  | { readonly kind: 'leave' | 'make_room'; readonly who: number }
  | { readonly kind: 'append'; readonly count: number }
  | { readonly kind: 'cut'; readonly through: number }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'end' | 'turn' | 'rest' };

const who = fc.nat({ max: 7 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('arrive' as const),
      from: fc.constantFrom('start' as const, 'end' as const),
      cursor: fc.oneof(fc.constant(0), fc.nat({ max: 4 }), fc.constantFrom(100, 2 ** 40)),
      pace: fc.constantFrom<Pace>('quick', 'brief', 'full'),
      asks: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('leave' as const), who }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('make_room' as const), who }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      // A page holds a hundred.
      count: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constant(120)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('cut' as const), through: fc.nat({ max: 130 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(400, 1_000) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('turn' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rest' as const) }) },
);

/** How many turns each read takes, over and over: none on the embedded engine, some over a network. */
type Delays = readonly number[];
const MAX_DELAY = 3;
const delays: fc.Arbitrary<Delays> = fc.oneof(
  fc.constant([0]),
  fc.array(fc.nat({ max: MAX_DELAY }), { minLength: 1, maxLength: 6 }),
);

function createLog(delays: Delays, countReaders: () => number) {
  const events: Event[] = [];
  let floor = 0;
  let readsInTurn = 0;
  const log = {
    reads: 0,
    get lastSeq() {
      return events.length;
    },
    get isEnded() {
      return events.at(-1)?.type === 'run.completed';
    },
    get floor() {
      return floor;
    },
    append(type: string) {
      events.push({ seq: events.length + 1, runId: RUN, type } as unknown as Event);
    },
    cut(through: number) {
      floor = Math.max(floor, Math.min(through, events.length - 1));
    },
    async read(_runId: RunId, { after, limit }: { after: number; limit: number }) {
      log.reads += 1;
      if (readsInTurn === 0) setImmediate(() => (readsInTurn = 0));
      readsInTurn += 1;
      if (readsInTurn > MAX_READS_PER_READER_AND_TURN * countReaders()) {
        throw new Error(`${readsInTurn} reads in one turn: somebody goes round in circles`);
      }
      if (after < floor) throw staleCursor(RUN, after, floor);
      const page = events.slice(after, after + limit);
      for (let turns = delays[log.reads % delays.length] ?? 0; turns > 0; turns -= 1)
        await takeTurn();
      return page;
    },
  };
  return log;
}

function createReader(
  follow: FollowRun,
  clock: ManualClock,
  { after, pace, asks }: { after: number; pace: Pace; asks: boolean },
) {
  const leaving = new AbortController();
  const { signal } = leaving;
  const request = { runId: RUN, after, idleMs: IDLE_MS, signal };
  let makeRoom = () => {};
  const reader = {
    after,
    got: [] as number[],
    heardAtMs: clock.nowMs(),
    endedAtMs: undefined as number | undefined,
    hasLeft: false,
    hasRoom: true,
    error: undefined as unknown,
    makeRoom: () => makeRoom(),
    leave() {
      reader.hasLeft ||= reader.endedAtMs === undefined;
      leaving.abort();
      makeRoom();
    },
  };

  function deliver(page: readonly NewsEvent[]): Promise<void> | undefined {
    reader.got.push(...page.map(({ seq }) => seq));
    reader.heardAtMs = clock.nowMs();
    if (pace === 'quick' || signal.aborted) return undefined;
    if (pace === 'brief') return Promise.resolve();
    reader.hasRoom = false;
    return new Promise((resolve) => {
      makeRoom = () => {
        makeRoom = () => {};
        reader.hasRoom = true;
        reader.heardAtMs = clock.nowMs();
        resolve();
      };
    });
  }

  async function ask(): Promise<void> {
    for await (const page of tailRun(follow, request)) await deliver(page);
  }

  void (asks ? ask() : follow({ ...request, deliver }))
    .catch((error: unknown) => {
      reader.error = error;
    })
    .then(() => {
      reader.endedAtMs = clock.nowMs();
    });
  return reader;
}

type Reader = ReturnType<typeof createReader>;

/** Long enough for everything under way to come to rest. */
async function rest(): Promise<void> {
  for (let turns = 0; turns < 8 * (MAX_DELAY + 1); turns += 1) await takeTurn();
}

function openModel(delays: Delays) {
  const clock = new ManualClock();
  const readers: Reader[] = [];
  const log = createLog(delays, () => readers.length + 1);
  const hub = createWakeupHub(clock.nowMs);
  const follow = createFollowRun({ log, wakeups: hub.wakeups, clock });
  const commit = (type: string) => {
    if (log.isEnded) return;
    log.append(type);
    hub.wake([RUN], false);
  };

  async function take(next: Step): Promise<void> {
    switch (next.kind) {
      case 'arrive':
        readers.push(
          createReader(follow, clock, {
            ...next,
            after: (next.from === 'end' ? log.lastSeq : 0) + next.cursor,
          }),
        );
        return;
      case 'leave':
        return readers[next.who]?.leave();
      case 'make_room':
        return readers[next.who]?.makeRoom();
      case 'append':
        for (let no = 0; no < next.count; no += 1) commit('model.delta');
        return;
      case 'end':
        return commit('run.completed');
      case 'cut':
        // Of a run that has not ended everything is kept.
        if (log.isEnded) log.cut(next.through);
        return;
      case 'pass':
        return clock.advance(next.ms);
      case 'turn':
        return takeTurn();
      case 'rest':
        await rest();
        for (const reader of readers) expectUpToDate(reader, log.lastSeq);
    }
  }

  const isOver = () => readers.every(({ endedAtMs }) => endedAtMs !== undefined);

  return {
    log,
    readers,
    take,
    clock,
    isOver,
    /** The run ends, everybody gets room, and who waits for more loses patience. */
    async end(): Promise<void> {
      commit('run.completed');
      for (let turns = 0; turns < MAX_TURNS_TO_END && !isOver(); turns += 1) {
        for (const reader of readers) reader.makeRoom();
        await takeTurn();
        if (turns > MAX_TURNS_TO_END / 2) clock.advance(IDLE_MS);
      }
    },
  };
}

/** Its events in order, none left out, as far as it came. */
function expectInOrder({ after, got }: Reader): void {
  expect(got).toEqual(got.map((_, index) => after + 1 + index));
}

/** News that nobody is told of until the next come would be a lost wake-up. */
function expectUpToDate({ after, got, hasRoom, endedAtMs }: Reader, lastSeq: number): void {
  if (hasRoom && endedAtMs === undefined) {
    expect(got.at(-1) ?? after).toBeGreaterThanOrEqual(lastSeq);
  }
}

function expectWholeUnlessExcused(reader: Reader, lastSeq: number, floor: number): void {
  const reached = reader.got.at(-1) ?? reader.after;
  const { error, hasLeft, endedAtMs = 0, heardAtMs } = reader;
  if (error !== undefined) {
    expect(error).toSatisfy(isStaleCursor);
    expect(floor).toBeGreaterThan(reached);
    return;
  }
  const hasIdled = endedAtMs - heardAtMs >= IDLE_MS;
  if (!hasLeft && !hasIdled) expect(reached).toBeGreaterThanOrEqual(lastSeq);
}

test('whoever reads from wherever, and whatever happens, gets its events in order and comes to an end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 30 }),
      delays,
      async (steps, turns) => {
        const model = openModel(turns);
        for (const next of steps) await model.take(next);

        await model.end();

        expect(model.isOver()).toBe(true);
        for (const reader of model.readers) {
          expectInOrder(reader);
          expectWholeUnlessExcused(reader, model.log.lastSeq, model.log.floor);
        }
        expect(model.clock.pendingTimers).toBe(0);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('those who wait read nothing, whatever mix of cursors they have', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.nat({ max: 5 }), fc.constantFrom(9, 2 ** 40)), {
        minLength: 1,
        maxLength: 8,
      }),
      delays,
      async (cursors, turns) => {
        const model = openModel(turns);
        await model.take({ kind: 'append', count: 3 });
        for (const cursor of cursors) {
          await model.take({ kind: 'arrive', from: 'start', cursor, pace: 'quick', asks: false });
          await takeTurn();
        }
        await rest();
        const readsBefore = model.log.reads;

        await rest();

        expect(model.log.reads).toBe(readsBefore);
        await model.end();
        expect(model.isOver()).toBe(true);
      },
    ),
    { numRuns: 100 },
  );
});
