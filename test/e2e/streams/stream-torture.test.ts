import { afterEach, expect, test } from 'vitest';
import { killBuiltServers } from '../../support/built-server.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import { readStreamSettings } from './stream-settings.ts';
import { describeStreams, tortureStreams } from './stream-torture.ts';

const settings = readStreamSettings();

afterEach(killBuiltServers);

test(`readers cut off ${settings.cuts} times, also by kill -9, get exactly the log`, async () => {
  const root = await openTempRoot();

  const report = await tortureStreams(root.path, settings).catch((cause: unknown) => {
    throw new Error(`seed ${settings.seed}, state root kept: ${root.path}`, { cause });
  });

  console.log(describeStreams(report, settings.seed));
  expect(report.violations, `seed ${settings.seed}, root kept: ${root.path}`).toEqual([]);
  expect(report.tally.cuts).toBeGreaterThanOrEqual(settings.cuts);
  expect(report.tally.midFrame).toBeGreaterThan(settings.cuts / 2);
  expect(report.recoveries).toBe(settings.kills);
  await root.remove();
}, 600_000);
