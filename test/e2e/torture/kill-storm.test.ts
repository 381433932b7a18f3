import { afterEach, expect, test } from 'vitest';
import { FAULT_POINTS } from '../../../src/core/fault-point.ts';
import { killBuiltServers } from '../../support/built-server.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import { describeStorms, runKillStorms } from './kill-storm.ts';
import { readSettings } from './settings.ts';

const DEFAULT_KILLS = 40;
const ROOTS = 2;
const { kills, seed } = readSettings(DEFAULT_KILLS);

afterEach(killBuiltServers);

test(
  `${kills} kills lose nothing that was acknowledged and repeat no effect`,
  async () => {
    const roots = await Promise.all(Array.from({ length: ROOTS }, openTempRoot));
    const where = `seed ${seed}, state roots kept: ${roots.map(({ path }) => path).join(' ')}`;

    const reports = await runKillStorms(
      roots.map(({ path }, index) => ({
        root: path,
        seed: seed + index * 1_000,
        kills: Math.ceil(kills / ROOTS),
        name: `s${index + 1}`,
      })),
    ).catch((cause: unknown) => {
      throw new Error(where, { cause });
    });

    console.log(describeStorms(seed, reports));
    const violations = reports.flatMap((report) => report.violations);
    expect(violations.slice(0, 5), `${violations.length} violations, ${where}`).toEqual([]);
    const reached = new Set(reports.flatMap(({ lives }) => [...lives.byPoint.keys()]));
    expect([...FAULT_POINTS].filter((point) => !reached.has(point))).toEqual([]);
    await Promise.all(roots.map((root) => root.remove()));
  },
  120_000 + kills * 4_000,
);
