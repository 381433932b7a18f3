import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { bundleScript } from '../support/bundle-script.ts';
import { openTempRoot } from '../support/temp-root.ts';

const SCRIPT = new URL('failing-start-process.ts', import.meta.url);

test('a start that fails leaves nothing running, at whatever step, and the next one works', {
  timeout: 300_000,
}, async () => {
  const temp = await openTempRoot();
  onTestFinished(() => temp.remove());
  const child = spawn(process.execPath, [await bundleScript(SCRIPT), temp.path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));

  const [said, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')]);

  const ends = said.split('\n').slice(0, -1);
  expect(ends.map((line): unknown => JSON.parse(line))).toEqual(
    [
      ['the configuration is no JSON', 'config_invalid'],
      ['another server has the state root', 'conflict'],
      ['the database is none', 'storage_unavailable'],
      ['the secrets are damaged', 'storage_unavailable'],
      ['the lock of the records is a folder', 'storage_unavailable'],
      ['two tools have one name', 'conflict'],
      ['the shadow report is a folder', 'internal'],
      ['a worker of a crashed server is damaged', 'internal'],
      ['the port is taken', 'config_invalid'],
      ['the address can not be published', 'storage_unavailable'],
    ].map(([name, code]) => ({ name, code, left: [] })),
  );
  // By itself: nothing but what is left open would keep it.
  expect(exitCode).toBe(0);
});
