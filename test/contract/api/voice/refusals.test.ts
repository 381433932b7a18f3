import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openForAll } from '../../../support/at-end.ts';
import { openSpeechProvider, openVoiceServer, SPOKEN, toWav, WAV } from './open-voice-server.ts';

const PATH = '/api/voice/process';
/** Recordings that a server deals with at the same time. */
const MAX_AT_ONCE = 16;
const FORMATS = 'Send a recording as WAV, WebM/Opus, Ogg, MP3 or M4A.';
const VIDEO = await readFile(new URL('../../../fixtures/voice/video.mp4', import.meta.url));

const TOO_LARGE = {
  error: {
    code: 'payload_too_large',
    message: 'Audio payload exceeds maximum size',
    details: {
      taxonomy: 'validation',
      limit_bytes: 512_000,
      recovery_action: 'Send a shorter audio clip or reduce audio quality.',
    },
  },
};

function invalid(message: string, recovery = FORMATS) {
  return {
    error: {
      code: 'validation_error',
      message,
      details: { taxonomy: 'validation', recovery_action: recovery },
    },
  };
}

const CORRECT = 'Correct what the message names and send the request again.';
const ENCODE = 'Encode the recording as base64 (RFC 4648) and send it again.';
const NO_AUDIO = 'the bytes are no audio that can be read';
const noSound = (name: string) => `there is no sound in this ${name} file`;
const audio = (bytes: Buffer) => ({ agent_id: 'lince', audio_base64: bytes.toString('base64') });

const CASES: readonly (readonly [string, unknown, number, unknown])[] = [
  ['no audio', { agent_id: 'lince' }, 400, invalid('audio_base64 is required', CORRECT)],
  ['no agent', { audio_base64: 'AAAA' }, 400, invalid('agent_id is required', CORRECT)],
  ['an unknown field', { ...SPOKEN, x: 1 }, 400, invalid('unknown field: x', CORRECT)],
  ['0 bytes', audio(Buffer.alloc(0)), 400, invalid('there is no audio')],
  [
    'no base64',
    { ...SPOKEN, audio_base64: 'UklG*' },
    400,
    invalid('audio_base64 is not valid base64', ENCODE),
  ],
  [
    'half a base64',
    { ...SPOKEN, audio_base64: 'UklGR' },
    400,
    invalid('audio_base64 is not valid base64', ENCODE),
  ],
  ['a text', audio(Buffer.from('hello '.repeat(500))), 400, invalid(NO_AUDIO)],
  ['zeros', audio(Buffer.alloc(512_000)), 400, invalid(NO_AUDIO)],
  ['a video', audio(VIDEO), 400, invalid('this is a video, not a recording of sound')],
  ['a header alone', audio(WAV.subarray(0, 44)), 400, invalid(noSound('WAV'))],
  ['half a header', audio(WAV.subarray(0, 20)), 400, invalid(NO_AUDIO)],
  [
    'a rate that lies',
    audio(toWav({ rate: 1 })),
    400,
    invalid("the header of this WAV file can't be right: 1 channels at 1 Hz"),
  ],
  [
    'a number of channels that lies',
    audio(toWav({ channels: 65_535 })),
    400,
    invalid("the header of this WAV file can't be right: 65535 channels at 16000 Hz"),
  ],
  ['512,001 bytes', audio(Buffer.alloc(512_001)), 413, TOO_LARGE],
  ['a megabyte', audio(Buffer.alloc(1_000_000)), 413, TOO_LARGE],
];

const refusing = openForAll(async () => {
  const provider = await openSpeechProvider();
  return { provider, server: await openVoiceServer({ provider }) };
});

test.each(CASES)('%s is refused before anybody is paid', async (_name, body, status, expected) => {
  const { provider, server } = refusing();

  const answer = await server.post(PATH, body);

  expect([answer.status, answer.body]).toEqual([status, expected]);
  expect(provider.requests).toEqual([]);
  expect((await server.runtime.runs.list({ limit: 1 })).runs).toEqual([]);
});

test('a size in the header that lies does not hide a good recording', async () => {
  const server = await openVoiceServer({ provider: await openSpeechProvider() });

  const answer = await server.post(PATH, audio(toWav({ bytes: 0x7fff_ffff })));

  expect(answer.status).toBe(200);
});

test('bodies of every kind are refused in the same words', async () => {
  const provider = await openSpeechProvider();
  const server = await openVoiceServer({ provider });
  const form = (name: string, bytes: number) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"; filename="a.wav"\r\n\r\n${'x'.repeat(bytes)}\r\n--b--\r\n`;
  const send = (type: string, body: Buffer | string) =>
    server.post(`${PATH}?agent_id=lince`, body, { headers: { 'content-type': type } });

  const answers = [
    await send('audio/wav', Buffer.alloc(512_001)),
    await send('multipart/form-data; boundary=b', form('audio', 512_001)),
    await send('multipart/form-data; boundary=b', 'nothing of the kind'),
    await send('multipart/form-data; boundary=b', form('song', 10)),
    await send('text/plain', 'hello'),
  ];

  const types = 'application/json, multipart/form-data or audio/*';
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [413, TOO_LARGE],
    [413, TOO_LARGE],
    [400, invalid('the body is not valid multipart/form-data', CORRECT)],
    [400, invalid('a file named song is not expected: name it audio', CORRECT)],
    [
      415,
      {
        error: {
          code: 'unsupported_media_type',
          message: `content-type must be ${types}`,
          details: { taxonomy: 'validation', recovery_action: `Send the recording as ${types}.` },
        },
      },
    ],
  ]);
  expect(provider.requests).toEqual([]);
});

test('an unknown agent, a missing token and too many requests are refused', async () => {
  const provider = await openSpeechProvider();
  const server = await openVoiceServer({ provider, config: { api: { rate_limit_max: 2 } } });

  const unknown = await server.post(PATH, { ...SPOKEN, agent_id: 'nobody' });
  const anonymous = await server.post(PATH, SPOKEN, { anonymous: true });
  await server.post(PATH, {});
  const limited = await server.post(PATH, SPOKEN);

  expect([unknown, anonymous, limited].map(({ status }) => status)).toEqual([404, 401, 429]);
  expect(limited.body).toMatchObject({ error: { code: 'rate_limited' } });
  expect(provider.requests).toEqual([]);
});

test('a stream that is refused gives its place among those at work back', async () => {
  const provider = await openSpeechProvider();
  const server = await openVoiceServer({ provider, config: { server: { max_streams: 1 } } });
  const left = new AbortController();
  const watching = await fetch(`${server.url}/api/admin/events`, {
    headers: { authorization: 'Bearer test-token-3f9c' },
    signal: left.signal,
  });
  // A stream that nobody reads is ended, by either side.
  const watched = watching.text().catch(() => 'left');
  const asStream = { headers: { accept: 'text/event-stream' } };

  const refused: unknown[] = [];
  for (let count = 0; count < MAX_AT_ONCE; count += 1) {
    refused.push((await server.post(PATH, SPOKEN, asStream)).status);
  }
  const heard = await server.post(PATH, SPOKEN);

  expect([watching.status, ...new Set(refused), heard.status]).toEqual([200, 429, 200]);
  left.abort();
  expect(await watched).toBe('left');
});
