import { expect, test } from 'vitest';
import type { AgentId, EventId, RunId } from '../ids.ts';
import type { Event } from './event.ts';
import { CHAIN_ROOT, CHAIN_START, hashEvent, verifyChain } from './hash-chain.ts';

function chainOf(length: number): Event[] {
  const events: Event[] = [];
  for (let seq = 1; seq <= length; seq += 1) {
    const bare = {
      id: `evt_${seq}` as EventId,
      runId: 'run_1' as RunId,
      agentId: 'agent_default' as AgentId,
      seq,
      type: 'model.delta' as const,
      atMs: 1_000 + seq,
      actor: 'model' as const,
      payload: { text: `part ${seq}`, nested: { b: 1, a: 2 } },
      redactions: [],
      prevHash: events.at(-1)?.hash ?? CHAIN_ROOT,
    };
    events.push({ ...bare, hash: hashEvent(bare) });
  }
  return events;
}

test('an untouched chain verifies, in one page or in several', () => {
  const events = chainOf(6);
  const first = verifyChain(events.slice(0, 4));

  expect(first).toEqual({ ok: true, last: { seq: 4, hash: events[3]?.hash } });
  expect(verifyChain(events.slice(4), first.ok ? first.last : CHAIN_START)).toEqual({
    ok: true,
    last: { seq: 6, hash: events[5]?.hash },
  });
});

test('the first altered, missing or swapped event is found', () => {
  const events = chainOf(5);
  const altered = events.map((event) =>
    event.seq === 3 ? { ...event, payload: { text: 'other' } } : event,
  );
  const rehashed = events.map((event) => {
    if (event.seq !== 3) return event;
    const changed = { ...event, payload: { text: 'other' } };
    return { ...changed, hash: hashEvent(changed) };
  });

  expect(verifyChain(altered)).toEqual({ ok: false, seq: 3, reason: 'hash_mismatch' });
  expect(verifyChain(rehashed)).toEqual({ ok: false, seq: 4, reason: 'prev_hash_mismatch' });
  expect(verifyChain(events.filter((event) => event.seq !== 2))).toEqual({
    ok: false,
    seq: 2,
    reason: 'seq_gap',
  });
});

test('the order of keys in a payload does not matter, its values do', () => {
  const [event] = chainOf(1) as [Event];
  const reordered = { ...event, payload: { nested: { a: 2, b: 1 }, text: 'part 1' } };

  expect(verifyChain([reordered])).toEqual({ ok: true, last: { seq: 1, hash: event.hash } });
});
