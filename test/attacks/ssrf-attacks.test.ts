import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event } from '../../src/core/events/event.ts';
import type { JsonObject } from '../../src/core/json.ts';
import {
  type Battlefield,
  expectAudited,
  expectDenied,
  openBattlefield,
  type Repelled,
} from './attack.ts';
import {
  ADDRESS_ATTACKS,
  LISTED_ATTACKS,
  REDIRECT_ATTACKS,
  type SsrfAttack,
} from './ssrf-attacks.ts';
import { openTrapServer, type TrapServer } from './trap-server.ts';

interface Shot extends Repelled {
  /** Connections that the trap has counted for it. */
  readonly connections: number;
}

let trap: TrapServer;
let field: Battlefield;
let audit: readonly Event[];
let shots: Shot[];

/** Opens the runtime, has every attack made, one after the other, and closes it again. */
async function fight(network: object, inputs: (port: number) => readonly JsonObject[]) {
  trap = await openTrapServer();
  field = await openBattlefield({
    tool_reliability: { mode: 'all' },
    network: { enabled: true, ...network },
  });
  shots = [];
  for (const input of inputs(trap.port)) {
    const before = trap.connections();
    const one = await field.attack({ tool: 'http.request', input });
    shots.push({ ...one, connections: trap.connections() - before });
  }
  audit = await field.close();
}

async function leave(): Promise<void> {
  await field.remove();
  await trap.close();
}

const fill = (text: string, port: number) => text.replaceAll('{port}', String(port));
const named = (attacks: readonly SsrfAttack[]) =>
  attacks.map(([url, reason], index) => ({ url, reason, index }));
const direct = (attacks: readonly SsrfAttack[]) => (port: number) =>
  attacks.map(([url, , rest]) => ({ url: fill(url, port), ...rest }));

function expectRepelled(index: number, reason: string, connections: number): void {
  const shot = shots[index] as Shot;
  const details = expectDenied(shot, 'http.request');
  expect(details['reason']).toBe(reason);
  expect(typeof details['host']).toBe('string');
  expectAudited(shot, audit);
  expect(shot.connections).toBe(connections);
}

describe('with every host listed', () => {
  beforeAll(() => fight({ allowed_domains: ['*'] }, direct(ADDRESS_ATTACKS)));
  afterAll(leave);

  test.each(named(ADDRESS_ATTACKS))('$url is denied and audited', ({ reason, index }) => {
    expectRepelled(index, reason, 0);
  });
});

const LIMITED = { allowed_domains: ['partner.example', '10.1.2.3'], allow_localhosts: true };

describe('with some hosts listed', () => {
  beforeAll(() => fight(LIMITED, direct(LISTED_ATTACKS)));
  afterAll(leave);

  test.each(named(LISTED_ATTACKS))('$url is denied and audited', ({ reason, index }) => {
    expectRepelled(index, reason, 0);
  });
});

describe('from an allowed server', () => {
  const door = (port: number, status: number, to: string) =>
    `http://127.0.0.1:${port}/to/${status}/${encodeURIComponent(fill(to, port))}`;
  const loop = 'ssrf_block.redirect_limit_exceeded';

  beforeAll(() =>
    fight(LIMITED, (port) => [
      ...REDIRECT_ATTACKS.map(([to]) => ({ url: door(port, 302, to) })),
      ...REDIRECT_ATTACKS.map(([to]) => ({ url: door(port, 307, to), method: 'POST', body: 'x' })),
      { url: door(port, 302, nest(port, 6)) },
      { url: door(port, 302, nest(port, 0)) },
    ]),
  );
  afterAll(leave);

  function nest(port: number, depth: number): string {
    return depth === 0 ? `http://localhost:${port}/end` : door(port, 302, nest(port, depth - 1));
  }

  test.each(named(REDIRECT_ATTACKS))('a redirect to $url is denied', ({ reason, index }) => {
    expectRepelled(index, reason, 1);
  });

  test.each(named(REDIRECT_ATTACKS))('a write sent on to $url is unknown', async (attack) => {
    const index = REDIRECT_ATTACKS.length + attack.index;

    expectRepelled(index, attack.reason, 1);
    const decision = shots[index]?.events.find(({ type }) => type === 'policy.decision');
    expect(decision?.payload['details']).toMatchObject({ effect: 'unknown' });
  });

  test('more redirects than anybody needs are denied', () => {
    expectRepelled(2 * REDIRECT_ATTACKS.length, loop, 6);
  });

  test('an honest redirect is followed', () => {
    const [last] = shots.slice(-1);
    const result = last?.events.find(({ type }) => type === 'tool.result');

    expect(result?.payload).toMatchObject({ ok: true, output: { status: 200, body: 'reached' } });
    expect(last?.connections).toBe(2);
  });
});
