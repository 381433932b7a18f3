// The effect test of test/e2e for as long as you like, round after round, each with a seed of its own:
//   node --import tsx torture/effect-storm.ts [rounds]
// PINCER_TORTURE_KILLS sets the kills of a round, PINCER_TORTURE_SEED the seed of the first.
import {
  describeEffectStorm,
  type EffectStormReport,
  runEffectStorms,
} from '../test/e2e/effects/effect-storm.ts';
import { readSettings } from '../test/e2e/torture/settings.ts';
import { openTempRoot } from '../test/support/temp-root.ts';

const DEFAULT_KILLS = 400;
const rounds = Number(process.argv[2] ?? 1);
const { kills, seed: firstSeed } = readSettings(DEFAULT_KILLS);

/** The ledger's word holds without the reliability layer too. */
const MODES = ['all', 'off'] as const;

for (let round = 0; round < rounds && process.exitCode === undefined; round += 1) {
  const seed = firstSeed + round;
  for (const mode of MODES) {
    const roots = [await openTempRoot(), await openTempRoot()] as const;
    const paths = roots.map(({ path }) => path);
    console.log(`round ${round + 1} of ${rounds}, seed ${seed}, mode ${mode}: ${paths.join(' ')}`);
    const common = { kills: Math.ceil(kills / (2 * MODES.length)), mode };
    const reports = await runEffectStorms([
      { ...common, root: roots[0].path, name: 'keyed', seed, isKeyed: true },
      { ...common, root: roots[1].path, name: 'keyless', seed: seed + 1_000, isKeyed: false },
    ]);
    console.log(reports.map(describeEffectStorm).join('\n'));
    const violations = reports.flatMap(violationsOf);
    if (violations.length > 0) {
      console.error(`${violations.length} violations, state roots kept:\n${violations.join('\n')}`);
      process.exitCode = 1;
    } else {
      await Promise.all(roots.map((root) => root.remove()));
    }
  }
}

function violationsOf({ name, violations, runs, applied, byStatus }: EffectStormReport): string[] {
  const isShort = name === 'keyed' && (applied !== runs || byStatus.confirmed !== runs);
  return [...violations, ...(isShort ? [`${runs} keyed runs had ${applied} effects`] : [])];
}
