import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../core/clock.ts';
import { installLocalSpeech } from './install-local-speech.ts';
import { findInstallState } from './installed.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'voice-install-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** A program of this name in front of the others. It notes its arguments and the variables it was given. */
async function putNpm(script: string): Promise<Record<string, string>> {
  const npm = join(folder, 'npm');
  await writeFile(npm, `#!/bin/sh\necho "$@" >> ${folder}/calls\nenv > ${folder}/env\n${script}\n`);
  await chmod(npm, 0o755);
  return {
    PATH: `${folder}:${process.env['PATH']}`,
    OPENAI_API_KEY: 'sk-1',
    npm_config_cache: 'c',
  };
}

function install(environment: Record<string, string>, signal = AbortSignal.timeout(30_000)) {
  const target = join(folder, 'local');
  return installLocalSpeech({
    folder: target,
    environment,
    clock: systemClock,
    signal,
    onStep() {},
  });
}

test('says why npm could not fetch a package, and what to do', async () => {
  const environment = await putNpm(
    'echo "npm error code ENOTFOUND" >&2; echo "npm error network no way out" >&2; exit 1',
  );

  await expect(install(environment)).rejects.toMatchObject({
    code: 'provider_failed',
    message:
      '@moonshine-ai/moonshine-js@0.1.29 could not be fetched: code ENOTFOUND; network no way out',
    details: { hint: expect.stringContaining('run claw voice install again') },
  });
  expect(await findInstallState(join(folder, 'local'))).toBe('missing');
});

test('npm runs no scripts and sees no keys of ours', async () => {
  await install(await putNpm('exit 1')).catch(() => {});

  expect(await readFile(join(folder, 'calls'), 'utf8')).toContain('--ignore-scripts');
  const seen = await readFile(join(folder, 'env'), 'utf8');
  expect(seen).toContain('npm_config_cache=c');
  expect(seen).not.toContain('sk-1');
});

test('a tarball with another content is thrown away', async () => {
  const environment = await putNpm('echo other > package.tgz');

  await expect(install(environment)).rejects.toThrow('is not the package that was published');
  expect(await readdir(join(folder, 'local', 'downloads'))).toEqual([]);
});

test('without npm it says so', async () => {
  await expect(install({ PATH: folder })).rejects.toMatchObject({
    message: 'there is no npm on the PATH',
  });
});

test('an interruption ends npm and leaves nothing half done', async () => {
  const environment = await putNpm('sleep 60');
  const interrupt = new AbortController();

  const installing = install(environment, interrupt.signal);
  await expect.poll(() => readdir(folder), { timeout: 20_000 }).toContain('env');
  interrupt.abort(new Error('Ctrl-C'));

  await expect(installing).rejects.toThrow('Ctrl-C');
  expect(await readdir(join(folder, 'local', 'downloads'))).toEqual([]);
});
