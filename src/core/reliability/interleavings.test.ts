import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { createGate } from '../../../test/support/pass-time.ts';
import { readCount } from '../../../test/support/read-count.ts';
import type { Clock } from '../clock.ts';
import { RuntimeError } from '../errors.ts';
import { createReliability } from './create-reliability.ts';
import { MemoryIdempotencyStore } from './idempotency/memory-idempotency-store.ts';
import { wrapTool } from './wrap-tool.ts';

const INTERLEAVINGS = readCount('PINCER_TORTURE_INTERLEAVINGS') ?? 3_000;
const PROCESSES = 2;
const KEYS = ['a', 'b'] as const;

const commandArb = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('call' as const), process: fc.nat(1), key: fc.nat(1) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      handler: fc.nat(7),
      // `lost`: the effect happens and the answer does not come back.
      how: fc.constantFrom('success' as const, 'failure' as const, 'lost' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 100, 400, 1_100, 6_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), process: fc.nat(1) }) },
);

/** A process's share of time: once it has died nothing of it wakes again. */
function createMortalClock(clock: ManualClock): { clock: Clock; die: () => void } {
  let isAlive = true;
  const after: Clock['after'] = (ms, fire) => clock.after(ms, () => isAlive && fire());
  return {
    clock: {
      nowMs: clock.nowMs,
      after,
      sleep: (ms) => new Promise((resolve) => after(ms, resolve)),
    },
    die: () => {
      isAlive = false;
    },
  };
}

interface RunningHandler {
  readonly key: string;
  readonly process: object;
  readonly gate: ReturnType<typeof createGate<{ sent: true }>>;
}

class World {
  readonly clock = new ManualClock();
  readonly store = new MemoryIdempotencyStore(this.clock);
  readonly effects = new Map<string, number>();
  readonly handlers: RunningHandler[] = [];
  readonly processes = Array.from({ length: PROCESSES }, () => this.#boot());
  answers = 0;

  #boot() {
    const { clock, die } = createMortalClock(this.clock);
    const self = { die, send: undefined as unknown as ReturnType<World['open']> };
    self.send = this.open(clock, self);
    return self;
  }

  open(clock: Clock, process: object) {
    return wrapTool<{ key: string }, { sent: true }>(
      ({ key }) => {
        const gate = createGate<{ sent: true }>();
        this.handlers.push({ key, process, gate });
        return gate.promise;
      },
      {
        toolId: 'mail.send',
        effect: 'write',
        settings: {
          timeoutMs: 5_000,
          idempotency: { leaseMs: 900, failureTtlMs: 300, maxWaitMs: 500 },
        },
        reliability: createReliability({ clock, idempotencyStore: this.store }),
      },
    );
  }

  call(process: number, key: string): void {
    const { send } = this.processes[process] as (typeof this.processes)[0];
    const done = () => (this.answers += 1);
    send({ key }, { idempotencyKey: key }).then(done, done);
  }

  end(index: number, how: 'success' | 'failure' | 'lost'): void {
    if (this.handlers.length === 0) return;
    const [handler] = this.handlers.splice(index % this.handlers.length, 1) as [RunningHandler];
    if (how !== 'failure') {
      this.effects.set(handler.key, (this.effects.get(handler.key) ?? 0) + 1);
    }
    // A handler of a dead process may still have had its effect; nobody is left to hear of it.
    if (!this.processes.some((process) => process === handler.process)) return;
    if (how === 'success') handler.gate.open({ sent: true });
    if (how === 'lost')
      handler.gate.fail(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    if (how === 'failure') handler.gate.fail(new RuntimeError('tool_failed', 'refused'));
  }

  crash(process: number): void {
    this.processes[process]?.die();
    this.processes[process] = this.#boot();
  }
}

async function settleMicrotasks(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
}

test(`over ${INTERLEAVINGS} interleavings of duplicates, failures and crashes no key takes effect twice`, async () => {
  let secondRuns = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(commandArb, { minLength: 4, maxLength: 16 }), async (commands) => {
      const world = new World();
      let runs = 0;
      for (const command of commands) {
        const before = world.handlers.length;
        if (command.do === 'call') world.call(command.process, KEYS[command.key] ?? 'a');
        if (command.do === 'end') world.end(command.handler, command.how);
        if (command.do === 'wait') world.clock.advance(command.ms);
        if (command.do === 'crash') world.crash(command.process);
        await settleMicrotasks();
        runs += Math.max(0, world.handlers.length - before);
        for (const key of KEYS) {
          const running = world.handlers.filter((handler) => handler.key === key).length;
          const effects = world.effects.get(key) ?? 0;
          // Also those that still run: each of them could take effect yet. Asked 200,000 times, so in plain words.
          if (effects + running > 1)
            expect.fail(`${effects} effects and ${running} runs of ${key}`);
        }
      }
      if (runs > KEYS.length) secondRuns += 1;
    }),
    { numRuns: INTERLEAVINGS },
  );

  // Honest retries after a failure did happen, so the bound above was not met by doing nothing.
  expect(secondRuns).toBeGreaterThan(INTERLEAVINGS / 1_000);
}, 180_000);
