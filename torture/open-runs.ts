// Kills a server with many open runs, starts it again and reports how long it takes until all have ended:
//   node --import tsx torture/open-runs.ts [runs]
import { describeOpenRuns, resumeOpenRuns } from '../test/e2e/torture/open-runs.ts';
import { killBuiltServers } from '../test/support/built-server.ts';
import { openTempRoot } from '../test/support/temp-root.ts';

const runs = Number(process.argv[2] ?? 400);
const root = await openTempRoot();
try {
  const report = await resumeOpenRuns(root.path, runs);
  console.log(describeOpenRuns(report));
  if (report.violations.length > 0) {
    console.error(`state root kept: ${root.path}\n${report.violations.join('\n')}`);
    process.exitCode = 1;
  } else {
    await root.remove();
  }
} finally {
  await killBuiltServers();
}
