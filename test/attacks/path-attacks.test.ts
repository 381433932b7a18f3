import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '../../src/core/events/event.ts';
import type { JsonObject } from '../../src/core/json.ts';
import {
  type Battlefield,
  expectAudited,
  expectDenied,
  openBattlefield,
  type Repelled,
} from './attack.ts';
import { layTraps, PATH_ATTACKS, SECRET } from './path-attacks.ts';
import { readTree } from './read-tree.ts';

const AROUND = ['outside', 'workspace', 'workspace-2', '.claw'];

let field: Battlefield;
let audit: readonly Event[];
let before: Record<string, string>;
let after: Record<string, string>;
const repelled: Repelled[] = [];

beforeAll(async () => {
  field = await openBattlefield({ tool_reliability: { mode: 'all' } });
  const { root } = field.runtime;
  await layTraps(root);
  before = await readTree(root, AROUND);
  for (const [tool, input] of PATH_ATTACKS) {
    repelled.push(await field.attack({ tool, input: fill(input, root) }));
  }
  after = await readTree(root, AROUND);
  audit = await field.close();
});

afterAll(() => field.remove());

function fill(input: JsonObject, root: string): JsonObject {
  return JSON.parse(JSON.stringify(input).replaceAll('{root}', root)) as JsonObject;
}

test('are enough to mean something', () => {
  expect(new Set(PATH_ATTACKS.map((attack) => JSON.stringify(attack))).size).toBeGreaterThan(70);
});

test.each(PATH_ATTACKS.map(([tool, input, reason], index) => ({ tool, input, reason, index })))(
  '$tool $input is denied and audited',
  ({ tool, reason, index }) => {
    const one = repelled[index] as Repelled;

    const details = expectDenied(one, tool === 'fs.rename' ? 'fs.move' : tool);
    expect(details['reason']).toBe(reason);
    expect(typeof details['path']).toBe('string');
    expectAudited(one, audit);
  },
);

test('nothing in or around the workspace has changed', () => {
  expect(Object.keys(before).length).toBeGreaterThan(15);
  expect(after).toEqual(before);
});

test('no run has seen what it must not', () => {
  const seen = repelled.filter(({ events }) => JSON.stringify(events).includes(SECRET));

  expect(seen.map(({ run }) => run.message)).toEqual([]);
});
