// The kill test of test/e2e for as long as you like, round after round, each with a seed of its own:
//   node --import tsx torture/kill-storm.ts [rounds]
// PINCER_TORTURE_KILLS sets the kills of a round, PINCER_TORTURE_SEED the seed of the first.
import { describeStorms, runKillStorms } from '../test/e2e/torture/kill-storm.ts';
import { readSettings } from '../test/e2e/torture/settings.ts';
import { openTempRoot } from '../test/support/temp-root.ts';

const DEFAULT_KILLS = 1_000;
const ROOTS = 2;
const rounds = Number(process.argv[2] ?? 1);
const { kills, seed: firstSeed } = readSettings(DEFAULT_KILLS);

for (let round = 0; round < rounds && process.exitCode === undefined; round += 1) {
  const seed = firstSeed + round;
  const roots = await Promise.all(Array.from({ length: ROOTS }, openTempRoot));
  console.log(`round ${round + 1} of ${rounds}, seed ${seed}: ${roots.map(({ path }) => path)}`);
  const reports = await runKillStorms(
    roots.map(({ path }, index) => ({
      root: path,
      seed: seed + index * 1_000,
      kills: Math.ceil(kills / ROOTS),
      name: `s${index + 1}`,
    })),
  );
  console.log(describeStorms(seed, reports));
  const violations = reports.flatMap((report) => report.violations);
  if (violations.length > 0) {
    console.error(`${violations.length} violations, state roots kept:\n${violations.join('\n')}`);
    process.exitCode = 1;
  } else {
    await Promise.all(roots.map((root) => root.remove()));
  }
}
