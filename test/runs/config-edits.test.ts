import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfigFile } from '../../src/config/config-file.ts';
import { type StatePaths, toStatePaths } from '../../src/config/state-root/state-paths.ts';
import { bundleScript } from '../support/bundle-script.ts';
import { openTempRoot, type TempRoot } from '../support/temp-root.ts';

let temp: TempRoot;
let paths: StatePaths;
beforeEach(async () => {
  temp = await openTempRoot();
  paths = toStatePaths(temp.path);
  await mkdir(paths.stateDir, { mode: 0o700 });
});
afterEach(() => temp.remove());

const FIRST = { server: { port: 4000 }, providers: { openai: { api_key: 'kept-through-it-all' } } };

/** Made once: compiling the sources takes longer than all else that these processes do. */
let bundle: Promise<string> | undefined;

/** A process of its own that changes the configuration as a server would. */
async function runEditor(script: string): Promise<{ code: number | null; signal: string | null }> {
  bundle ??= bundleScript(new URL('config-editor.ts', import.meta.url));
  const code = `
    import fs from 'node:fs/promises';
    import { syncBuiltinESMExports } from 'node:module';
    import { openConfigEditor } from ${JSON.stringify(await bundle)};
    const editor = await openConfigEditor(${JSON.stringify(temp.path)});
    ${script}
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [exitCode, signal] = await once(child, 'close');
  return { code: exitCode, signal };
}

test('changes by two processes at the same time all land', async () => {
  await writeFile(paths.configFile, JSON.stringify(FIRST));
  const edit = (name: string) => `
    for (let n = 0; n < 10; n += 1) {
      const price = { input_per_million: n, output_per_million: n };
      await editor.patch({ prices: { ['test/${name}' + n]: price } });
    }
  `;

  const ends = await Promise.all([runEditor(edit('a')), runEditor(edit('b'))]);

  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  const { prices = {}, ...others } = (await readConfigFile(paths.configFile)) ?? {};
  expect(Object.keys(prices).toSorted()).toEqual(
    ['a', 'b'].flatMap((name) => Array.from({ length: 10 }, (_, n) => `test/${name}${n}`)),
  );
  expect(others).toEqual(FIRST);
});

test.each([
  ['before the version before is kept', '.bak'],
  ['between keeping it and replacing the file', 'config.json'],
])('a crash %s leaves the old file whole, and the next change works', async (_, target) => {
  const before = `${JSON.stringify(FIRST)}\n`;
  await writeFile(paths.configFile, before);

  const crashed = await runEditor(`
    const { rename } = fs;
    fs.rename = (from, to) =>
      to.endsWith(${JSON.stringify(target)}) ? process.kill(process.pid, 'SIGKILL') : rename(from, to);
    syncBuiltinESMExports();
    await editor.patch({ server: { port: 4001 } });
  `);
  const left = await readFile(paths.configFile, 'utf8');
  const names = await readdir(paths.stateDir);
  const next = await runEditor(`await editor.patch({ server: { port: 4002 } });`);

  expect(crashed.signal).toBe('SIGKILL');
  expect(left).toBe(before);
  expect(names.includes('config.json.bak')).toBe(target === 'config.json');
  expect(next.code).toBe(0);
  expect(await readConfigFile(paths.configFile)).toEqual({ ...FIRST, server: { port: 4002 } });
  expect(await readFile(paths.configBackupFile, 'utf8')).toBe(before);
});
