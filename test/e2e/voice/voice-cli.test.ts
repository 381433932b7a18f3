import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findLocalSpeech, putLocalSpeech } from '../../support/local-speech.ts';
import { type ClawRoot, common, openClawRoot } from '../cli/claw.ts';

const folder = await findLocalSpeech();
let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

const document = async (...args: readonly string[]) => {
  const { stdout } = await root.claw([...args, '--output-format', 'json']);
  return { ...JSON.parse(stdout), timestamp: '<time>' };
};

test('without local speech every command names the one that brings it', async () => {
  const status = await root.claw(['voice', 'status']);
  const say = await root.claw(['voice', 'say', 'hello']);

  const next = 'Run claw voice install when';
  expect(status).toMatchObject({ code: 0, stderr: '' });
  expect(status.stdout.split('\n').slice(0, 2)).toEqual([
    `hears   local: ${next} STT_PROVIDER=local.`,
    `speaks  local: ${next} TTS_PROVIDER=local.`,
  ]);
  expect([say.code, say.stderr]).toEqual([
    1,
    `error: Voice providers are not configured correctly\nhint: ${next} TTS_PROVIDER=local.\n`,
  ]);
});

test('an installation without a network fails with the next step, and leaves nothing behind', async () => {
  const cache = join(root.path, 'npm-cache');
  await mkdir(cache);
  const env = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_cache: cache };

  const { code, stderr } = await root.claw(['voice', 'install'], { env });

  expect(code).toBe(1);
  expect(stderr).toContain('@moonshine-ai/moonshine-js@0.1.29 could not be fetched: ');
  expect(stderr).toContain('hint: check the network and npm config get registry');
  expect(await readdir(join(root.path, '.openclawssy/voice/local/downloads'))).toEqual([]);
});

describe.skipIf(folder === undefined)('with local speech', () => {
  beforeEach(() => putLocalSpeech(root.path, folder ?? ''));

  test('says a text and understands what it said', async () => {
    const said = await document('voice', 'say', 'The quick brown fox.', '--out', 'fox.wav');
    const heard = await document('voice', 'listen', 'fox.wav');
    const again = await root.claw(['voice', 'install']);

    const file = join(root.path, 'fox.wav');
    const { length: bytes } = await readFile(file);
    expect(said).toEqual({ ...common('voice say', 0), file, format: 'wav', bytes, via: 'local' });
    expect(heard).toEqual({
      ...common('voice listen', 0),
      transcript: expect.stringMatching(/^the quick brown fox\W?$/i),
      format: 'wav',
      duration_ms: Math.round((bytes - 44) / 32),
      via: 'local',
    });
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('is whole')]);
  });

  test('only a file that was named is replaced', async () => {
    await writeFile(join(root.path, 'speech.wav'), 'mine');

    const { code, stderr } = await root.claw(['voice', 'say', 'hello']);

    expect([code, stderr]).toEqual([2, expect.stringContaining('speech.wav exists')]);
    expect(await readFile(join(root.path, 'speech.wav'), 'utf8')).toBe('mine');
  });

  test('what is no recording is refused', async () => {
    await writeFile(join(root.path, 'a.txt'), 'hello '.repeat(100));
    await writeFile(join(root.path, 'b.wav'), Buffer.alloc(512_001));

    const text = await root.claw(['voice', 'listen', 'a.txt']);
    const large = await root.claw(['voice', 'listen', 'b.wav']);
    const absent = await root.claw(['voice', 'listen', 'c.wav']);

    expect([text.code, large.code, absent.code]).toEqual([1, 1, 1]);
    expect(text.stderr).toContain('the bytes are no audio that can be read');
    expect(large.stderr).toContain('Audio payload exceeds maximum size');
    expect(absent.stderr).toContain('c.wav');
  });
});
