import { expect, test } from 'vitest';
import type { Event, EventType } from '../../../../core/events/event.ts';
import type { TailRequest } from '../../../../core/events/follow-run.ts';
import type { RunId } from '../../../../core/ids.ts';
import { tailByPolling } from './tail-by-polling.ts';

function event(seq: number, type: EventType): Event {
  return { seq, type } as Event;
}

/** A log whose every look waits its time out on the clock and brings one page at most. */
function openLog(...looks: readonly (readonly Event[])[]) {
  let nowMs = 0;
  const asked: number[] = [];
  async function* tail({ after, idleMs }: TailRequest): AsyncGenerator<readonly Event[]> {
    const page = looks[asked.length] ?? [];
    asked.push(after);
    nowMs += idleMs;
    if (page.length > 0) yield page;
  }
  const read = async (idleMs: number): Promise<number[]> => {
    const seen: number[] = [];
    const { signal } = new AbortController();
    const request = { runId: 'run_1' as RunId, after: 0, idleMs, signal };
    for await (const page of tailByPolling({ tail }, { nowMs: () => nowMs }, request)) {
      seen.push(...page.map(({ seq }) => seq));
    }
    return seen;
  };
  return { asked, read };
}

test('looks again after the last event seen, until the run has ended', async () => {
  const log = openLog(
    [event(1, 'run.created'), event(2, 'run.started')],
    [],
    [event(3, 'run.completed')],
    [event(4, 'model.delta')],
  );

  expect(await log.read(60_000)).toEqual([1, 2, 3]);
  expect(log.asked).toEqual([0, 2, 2]);
});

test('ends when nothing has come for as long as asked, counted anew after every event', async () => {
  const log = openLog([], [event(1, 'run.created')]);

  expect(await log.read(1_000)).toEqual([1]);
  expect(log.asked).toEqual([0, 0, 1, 1]);
});
