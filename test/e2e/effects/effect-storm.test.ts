import { afterEach, expect, test } from 'vitest';
import { killBuiltServers } from '../../support/built-server.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import { readSettings } from '../torture/settings.ts';
import { EFFECT_POINTS } from './effect-kills.ts';
import { describeEffectStorm, MIN_RUNS, runEffectStorms } from './effect-storm.ts';

const DEFAULT_KILLS = 30;
const { kills, seed } = readSettings(DEFAULT_KILLS);

afterEach(killBuiltServers);

test(
  `after ${kills} kills between intent, send and confirm the ledger tells what the service has done`,
  async () => {
    const roots = [await openTempRoot(), await openTempRoot()] as const;
    const where = `seed ${seed}, state roots kept: ${roots.map(({ path }) => path).join(' ')}`;
    const common = { kills: Math.ceil(kills / 2), mode: 'all' as const };

    const [keyed, keyless] = await runEffectStorms([
      { ...common, root: roots[0].path, name: 'keyed', seed, isKeyed: true },
      { ...common, root: roots[1].path, name: 'keyless', seed: seed + 1_000, isKeyed: false },
    ]).catch((cause: unknown) => {
      throw new Error(where, { cause });
    });
    if (!keyed || !keyless) throw new Error('a storm has no report');

    console.log(`${describeEffectStorm(keyed)}\n${describeEffectStorm(keyless)}`);
    const violations = [...keyed.violations, ...keyless.violations];
    expect(violations.slice(0, 5), `${violations.length} violations, ${where}`).toEqual([]);
    // A service that honours keys may get an order twice, and carries out each once.
    expect(keyed).toMatchObject({ applied: keyed.runs, keyed: keyed.requests });
    expect(keyed.byStatus).toEqual({ ...NOTHING, confirmed: keyed.runs });
    // Any other gets each order at most once; what nobody knows about is there for people to see.
    expect(keyless).toMatchObject({ applied: keyless.requests, keyed: 0 });
    const { confirmed, unknown } = keyless.byStatus;
    expect(keyless.byStatus).toEqual({ ...NOTHING, confirmed, unknown });
    expect(confirmed + unknown).toBe(keyless.runs);
    expect(unknown).toBeGreaterThan(0);
    for (const { lives, runs } of [keyed, keyless]) {
      expect(runs).toBeGreaterThanOrEqual(MIN_RUNS);
      expect(EFFECT_POINTS.filter((point) => !lives.byPoint.has(point))).toEqual([]);
    }
    await Promise.all(roots.map((root) => root.remove()));
  },
  60_000 + kills * 3_000,
);

const NOTHING = { intent: 0, sent: 0, confirmed: 0, failed: 0, unknown: 0 };
