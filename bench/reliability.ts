// What guarding a call costs: a no-op function, bare and through the reliability layer, beside its peers.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createReliability } from '../src/core/reliability/create-reliability.ts';
import { wrapTool } from '../src/core/reliability/wrap-tool.ts';
import { compareInBlocks, type Side } from './support/blocks.ts';
import { readOptions } from './support/options.ts';
import { limitRow, printReport, type Row } from './support/report.ts';
import { median, spread } from './support/statistics.ts';

type NoOp = (payload: { readonly n: number }) => Promise<unknown>;

interface Cockatiel {
  readonly handleAll: unknown;
  readonly TimeoutStrategy: { readonly Aggressive: unknown };
  readonly ConsecutiveBreaker: new (failures: number) => unknown;
  readonly ExponentialBackoff: new () => unknown;
  circuitBreaker(policy: unknown, options: object): unknown;
  retry(policy: unknown, options: object): unknown;
  timeout(ms: number, strategy: unknown): unknown;
  wrap(...policies: unknown[]): { execute(work: () => Promise<unknown>): Promise<unknown> };
}

type Opossum = new (
  work: NoOp,
  options: object,
) => { fire(payload: object): Promise<unknown>; shutdown(): void };

interface Measured extends Side {
  /** Nanoseconds of processor time per call, block by block: other programs on the machine do not count. */
  readonly costsNs: number[];
  readonly close?: () => void;
}

const { isQuick, peersDir } = readOptions();
const CALLS_PER_BLOCK = isQuick ? 20_000 : 200_000;
const ROUNDS = isQuick ? 2 : 9;
const PAYLOAD = { n: 1 };

const noop: NoOp = async (payload) => payload;

function createSide(name: string, call: NoOp, close?: () => void): Measured {
  const costsNs: number[] = [];
  return {
    name,
    costsNs,
    ...(close ? { close } : {}),
    measure: async () => {
      const before = process.cpuUsage();
      for (let index = 0; index < CALLS_PER_BLOCK; index += 1) await call(PAYLOAD);
      const { user, system } = process.cpuUsage(before);
      const tookNs = (user + system) * 1_000;
      costsNs.push(tookNs / CALLS_PER_BLOCK);
      return (CALLS_PER_BLOCK / tookNs) * 1e9;
    },
  };
}

function createKeyed(): Measured {
  const send = wrapTool(noop, {
    toolId: 'bench.write',
    effect: 'write',
    reliability: createReliability(),
  });
  let next = 0;
  return createSide('with a fresh idempotency key', (payload) => {
    next += 1;
    return send(payload, { idempotencyKey: `key-${next}` });
  });
}

function createOff(): Measured {
  const off = wrapTool(noop, { toolId: 'bench.off', effect: 'read', mode: () => 'off' });
  return createSide('switched off', (payload) => off(payload));
}

function createReplayed(): Measured {
  const send = wrapTool(noop, {
    toolId: 'bench.replay',
    effect: 'write',
    reliability: createReliability(),
  });
  return createSide('replayed by key', (payload) => send(payload, { idempotencyKey: 'same' }));
}

async function loadPeer(name: string): Promise<unknown> {
  if (peersDir === undefined) {
    console.log(`${name}: not measured, no directory of peers was given (--peers DIR)`);
    return undefined;
  }
  try {
    const require = createRequire(join(peersDir, 'package.json'));
    return await import(pathToFileURL(require.resolve(name)).href);
  } catch {
    console.log(`${name}: not measured, not installed in ${peersDir}`);
    return undefined;
  }
}

async function openPeers(): Promise<Measured[]> {
  const sides: Measured[] = [];
  const cockatiel = (await loadPeer('cockatiel')) as Cockatiel | undefined;
  if (cockatiel) {
    const { handleAll, ConsecutiveBreaker, ExponentialBackoff, TimeoutStrategy } = cockatiel;
    const retry = cockatiel.retry(handleAll, { maxAttempts: 3, backoff: new ExponentialBackoff() });
    const breaker = cockatiel.circuitBreaker(handleAll, {
      halfOpenAfter: 30_000,
      breaker: new ConsecutiveBreaker(5),
    });
    const policy = cockatiel.wrap(
      retry,
      breaker,
      cockatiel.timeout(30_000, TimeoutStrategy.Aggressive),
    );
    sides.push(createSide('cockatiel', (payload) => policy.execute(() => noop(payload))));
  }
  const opossum = (await loadPeer('opossum')) as { default: Opossum } | undefined;
  if (opossum) {
    const breaker = new opossum.default(noop, { timeout: 30_000, resetTimeout: 30_000 });
    const close = () => breaker.shutdown();
    sides.push(createSide('opossum', (payload) => breaker.fire(payload), close));
  }
  return sides;
}

const bare = createSide('bare await', noop);
const guardedNoop = wrapTool(noop, {
  toolId: 'bench.read',
  effect: 'read',
  reliability: createReliability(),
});
const guarded = createSide('guarded', (payload) => guardedNoop(payload));
const off = createOff();
const keyed = createKeyed();
const replayed = createReplayed();
const peers = await openPeers();
await compareInBlocks(bare, [guarded, off, ...peers], ROUNDS);
// Afterwards: thousands of kept records would make the collector's work for the others harder.
await compareInBlocks(replayed, [keyed], isQuick ? 1 : 3);
for (const side of peers) side.close?.();

/** The first block pays for compiling. */
const costOf = ({ costsNs }: Measured) => median(costsNs.slice(1)) / 1_000;
const overheadOf = (side: Measured) => costOf(side) - costOf(bare);
const isVoid = spread(guarded.costsNs.slice(1)) > 0.5;
const opossum = peers.find(({ name }) => name === 'opossum');

const rows: Row[] = [
  limitRow('guarded: circuit, retry, timeout; over a bare await', overheadOf(guarded), {
    unit: 'µs',
    digits: 3,
    max: 1,
    isVoid,
    note: `bare ${costOf(bare).toFixed(3)} µs, guarded ${costOf(guarded).toFixed(3)} µs a call`,
  }),
  ...(opossum
    ? [
        limitRow('guarded against opossum', overheadOf(guarded) / overheadOf(opossum), {
          unit: '×',
          max: 1,
          isVoid,
        }),
      ]
    : []),
  ...[off, keyed, replayed, ...peers].map((side) =>
    limitRow(`${side.name}; over a bare await`, overheadOf(side), { unit: 'µs', digits: 3 }),
  ),
];

printReport({
  bench: 'reliability',
  rows,
  figures: Object.fromEntries(
    [guarded, off, keyed, replayed, ...peers].map((side) => [
      `${side.name.replaceAll(' ', '_')}_us`,
      overheadOf(side),
    ]),
  ),
});
