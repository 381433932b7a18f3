import { expect, test } from 'vitest';
import { createAgentRows } from './agent-rows.ts';
import type { WriteOpName } from './write-ops.ts';

const batch = (...ops: WriteOpName[]) => ({
  writes: ops.map((op) => ({ op, args: [] })),
  hasForeignCommit: false,
});

function openRows() {
  const rows = createAgentRows();
  let loads = 0;
  const find = (id = 'a') =>
    rows.find(id, () => {
      loads += 1;
      return { id, loads };
    });
  return { rows, find };
}

test('an agent is read once while only runs are written', () => {
  const { rows, find } = openRows();
  const first = find();

  rows.learn(batch('create', 'append', 'finish', 'markRecorded'));

  expect(find()).toBe(first);
});

test.each([
  { what: 'another write', batch: batch('append', 'performWrite') },
  { what: 'the status of an agent', batch: batch('setAgentStatus') },
  { what: 'an import', batch: batch('importSteps', 'append') },
  { what: 'a write of another process', batch: { ...batch('append'), hasForeignCommit: true } },
])('an agent is read anew after $what', (given) => {
  const { rows, find } = openRows();
  find();

  rows.learn(given.batch);

  expect(find()).toEqual({ id: 'a', loads: 2 });
});

test('an agent that is not there is looked for every time, and many need no more room than some', () => {
  const { rows, find } = openRows();
  expect(rows.find('none', () => undefined)).toBeUndefined();
  expect(rows.find('none', () => 'there by now')).toBe('there by now');

  for (let count = 0; count < 1_000; count += 1) find(`agent_${count}`);

  expect(find('agent_0')).toEqual({ id: 'agent_0', loads: 1_001 });
});
