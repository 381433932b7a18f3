import { afterEach, expect, test } from 'vitest';
import { killBuiltServers } from '../../support/built-server.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import { describeOpenRuns, resumeOpenRuns } from './open-runs.ts';

const RUNS = 100;

afterEach(killBuiltServers);

test(`a restart resumes ${RUNS} runs that were open when the server was killed`, async () => {
  const root = await openTempRoot();

  const report = await resumeOpenRuns(root.path, RUNS).catch((cause: unknown) => {
    throw new Error(`state root kept: ${root.path}`, { cause });
  });

  console.log(describeOpenRuns(report));
  expect(report.violations, `state root kept: ${root.path}`).toEqual([]);
  expect(report).toMatchObject({ runs: RUNS, completed: RUNS, recoveries: RUNS, unknownEdits: 0 });
  await root.remove();
}, 90_000);
