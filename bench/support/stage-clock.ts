import { createHook, executionAsyncResource } from 'node:async_hooks';
import type { SpanAttributes, Tracer } from '../../src/core/telemetry.ts';

/** Where a run's time goes. What belongs to no span is `other`: sockets, routing, answers of the writer thread. */
export const STAGES = [
  'accept',
  'start',
  'turn',
  'tool',
  'end',
  'stream',
  'records',
  'other',
] as const;
export type StageName = (typeof STAGES)[number];

export interface StageFigures {
  /** Main-thread time in milliseconds. */
  readonly busyMs: number;
  /** How long each took from begin to end, waiting included. */
  readonly spansMs: readonly number[];
}

export type Anatomy = Readonly<Record<StageName, StageFigures>>;

/** What the code that runs right now belongs to. A run passes from one stage to the next. */
interface Place {
  stage: StageName;
}

const PLACE = Symbol('place');
const OTHER: Place = { stage: 'other' };

/**
 * A tracer that measures instead of telling: each asynchronous step inherits the place of whoever began it, and the
 * time it holds the thread is counted there. Following every promise costs about as much again as the work itself, so
 * shares mean something and absolute times do not.
 */
export function createStageClock(): { readonly tracer: Tracer; take(): Anatomy } {
  const busyMs = new Map<StageName, number>();
  const spansMs = new Map<StageName, number[]>();
  const entered: Place[] = [];
  let here: Place | undefined;
  let sinceMs = 0;

  function count(): void {
    const nowMs = performance.now();
    if (here) busyMs.set(here.stage, (busyMs.get(here.stage) ?? 0) + nowMs - sinceMs);
    sinceMs = nowMs;
  }

  function enter(place: Place): void {
    count();
    if (here) entered.push(here);
    here = place;
  }

  function leave(): void {
    count();
    here = entered.pop();
  }

  function note(stage: StageName, sincePointMs: number): void {
    const all = spansMs.get(stage) ?? [];
    spansMs.set(stage, all);
    all.push(performance.now() - sincePointMs);
  }

  function within<T>(place: Place, work: () => T): T {
    enter(place);
    try {
      return work();
    } finally {
      leave();
    }
  }

  async function measure<T>(place: Place, work: () => Promise<T>): Promise<T> {
    const { stage } = place;
    const beganMs = performance.now();
    try {
      return await within(place, work);
    } finally {
      note(stage, beganMs);
    }
  }

  createHook({
    init(_id, _type, _trigger, resource) {
      (resource as { [PLACE]?: Place })[PLACE] = here ?? OTHER;
    },
    before: () => enter((executionAsyncResource() as { [PLACE]?: Place })[PLACE] ?? OTHER),
    after: leave,
  }).enable();

  const begunMs = new WeakMap<Place, number>();
  const tracer: Tracer = {
    span(name, _attributes: SpanAttributes, work) {
      const span = { set: () => {} };
      const stage = findStage(name);
      if (stage === undefined) return work(span);
      const around = here;
      if (stage === 'turn' && around?.stage === 'start') {
        note('start', begunMs.get(around) ?? Number.NaN);
        // What a run does between its turns is counted to them.
        around.stage = 'turn';
      }
      const place = { stage };
      if (stage === 'start') {
        begunMs.set(place, performance.now());
        return within(place, () => work(span));
      }
      return measure(place, () => work(span));
    },
    continueTrace: (_caller, work) => work(),
    stage: <T>(stage: 'end' | 'records', work: () => T): T => {
      const beganMs = performance.now();
      const working = within({ stage }, work);
      if (working instanceof Promise) {
        working.then(
          () => note(stage, beganMs),
          () => {},
        );
      }
      return working;
    },
  };

  return {
    tracer,
    take() {
      count();
      const figures = STAGES.map((stage) => [
        stage,
        { busyMs: busyMs.get(stage) ?? 0, spansMs: spansMs.get(stage) ?? [] },
      ]);
      busyMs.clear();
      spansMs.clear();
      return Object.fromEntries(figures) as Anatomy;
    },
  };
}

function findStage(span: string): StageName | undefined {
  if (span.startsWith('POST ')) return 'accept';
  if (span.startsWith('GET ')) return 'stream';
  if (span === 'run') return 'start';
  if (span === 'runtime.infer') return 'turn';
  return span === 'runtime.tool' ? 'tool' : undefined;
}
