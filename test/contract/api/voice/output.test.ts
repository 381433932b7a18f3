import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TeamServer } from '../open-team-server.ts';
import { MP3, openSpeechProvider, openVoiceServer, SPOKEN } from './open-voice-server.ts';

async function openSpoken(voice: object = {}) {
  const server = await openVoiceServer({ provider: await openSpeechProvider(), voice });
  return { server, url: await speakOnce(server) };
}

async function speakOnce(server: TeamServer): Promise<string> {
  const { body } = await server.post('/api/voice/process', SPOKEN);
  return (body as { tts_audio_url: string }).tts_audio_url;
}

async function read(server: TeamServer, path: string, headers: Record<string, string> = {}) {
  const authorization = 'Bearer test-token-3f9c';
  const answer = await fetch(`${server.url}${path}`, { headers: { authorization, ...headers } });
  const range = answer.headers.get('content-range');
  const type = answer.headers.get('content-type');
  return { status: answer.status, type, range, bytes: Buffer.from(await answer.arrayBuffer()) };
}

test('a spoken answer is served whole, in parts, and by its type', async () => {
  const { server, url } = await openSpoken();

  const whole = await read(server, url);
  const part = await read(server, url, { range: 'bytes=10-19' });
  const end = await read(server, url, { range: 'bytes=-4' });
  const beyond = await read(server, url, { range: 'bytes=5000-' });
  const head = await server.call(url, { method: 'HEAD' });

  const type = 'audio/mpeg';
  expect(whole).toEqual({ status: 200, type, range: null, bytes: MP3 });
  expect(part).toEqual({
    status: 206,
    type,
    range: 'bytes 10-19/1000',
    bytes: MP3.subarray(10, 20),
  });
  expect(end).toEqual({ status: 206, type, range: 'bytes 996-999/1000', bytes: MP3.subarray(996) });
  expect(beyond).toEqual(whole);
  expect([head.status, head.text]).toEqual([200, '']);
  expect(head.headers).toMatchObject({
    'content-type': type,
    'content-length': '1000',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
  });
});

test('nobody hears it without the token', async () => {
  const { server, url } = await openSpoken();

  const { status, body } = await server.call(url, { anonymous: true });

  expect([status, body]).toMatchObject([401, { error: { code: 'unauthorized' } }]);
});

test.each([
  'tts_0b8e2f0c-7f0c-4b7e-9f5e-2d8a6a1f3c4d.mp3',
  'tts_x.mp3',
  '..%2f..%2fconfig.json',
  '..%2ftts_0b8e2f0c-7f0c-4b7e-9f5e-2d8a6a1f3c4d.mp3',
  'tts_0b8e2f0c-7f0c-4b7e-9f5e-2d8a6a1f3c4d.mp3%00',
  '.',
])('%s is not found', async (name) => {
  const server = await openVoiceServer();

  const { status, body } = await server.call(`/api/voice/output/${name}`);

  expect([status, body]).toMatchObject([404, { error: { code: 'not_found' } }]);
});

test('what is too old is gone for readers, and from the disk with the next answer', async () => {
  const { server, url } = await openSpoken({ output_max_age_ms: 60_000, output_dir: 'spoken' });
  const folder = join(server.root, 'spoken');
  const [name = ''] = await readdir(folder);
  const past = new Date(Date.now() - 61_000);
  await utimes(join(folder, name), past, past);

  const old = await read(server, url);
  const next = await speakOnce(server);

  expect(old.status).toBe(404);
  expect(await readdir(folder)).toEqual([next.split('/').at(-1)]);
});
