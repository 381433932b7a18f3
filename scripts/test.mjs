// `npm test`: install and build if needed, run vitest, close with one line of totals.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { root, run } from './lib/process.mjs';
import { openScratch } from './lib/scratch.mjs';

await ensureInstalled();
await ensureBuilt();

const args = process.argv.slice(2).filter((arg) => arg !== '--require-engines');
const scratch = openScratch();
const env = { ...process.env, TMPDIR: scratch.path };
if (process.argv.includes('--require-engines')) env.REQUIRE_ENGINES = '1';

const report = join(scratch.path, 'report.json');
const { code } = await run(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ],
  { env },
);
const closing = totals(report, code);
// Some tests say where the state is that broke them.
if (code === 0) scratch.remove();
else process.stderr.write(`pincer: what the tests wrote is kept in ${scratch.path}\n`);
process.stdout.write(`\n${closing}\n`);
process.exitCode = code;

function totals(path, exitCode) {
  const { passed, failed, skipped } = count(path);
  // The run itself broke: an unhandled error, a setup that threw, a crash before the report.
  const failures = failed === 0 && exitCode !== 0 ? 1 : failed;
  return `${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function count(path) {
  let report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
  // A file that fails to load has no tests to count, but it is a failure.
  const broken = report.testResults.filter(
    (file) =>
      file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
