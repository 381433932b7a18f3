import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/log.ts';
import { createLocalSpeech, type LocalSpeech } from '../../src/voice/local/local-speech.ts';
import { openVoiceServer, toWav } from '../contract/api/voice/open-voice-server.ts';
import { findLocalSpeech, putLocalSpeech } from '../support/local-speech.ts';

const folder = await findLocalSpeech();
const NEVER = new AbortController().signal;
const TEXT = 'Hello there. Please tell me the status of the project.';
const HEARD = 'hello there please tell me the status of the project';

const words = (text: string) => text.toLowerCase().replace(/[^a-z ]/g, '');
const clip = (name: string) => readFile(new URL(`../fixtures/voice/${name}`, import.meta.url));

/** Samples between -1 and 1 as a WAV file at 16 kHz. */
function encodeWav(samples: readonly number[]): Buffer {
  const wav = toWav();
  const data = Buffer.from(Int16Array.from(samples, (value) => value * 32_767).buffer);
  wav.writeUInt32LE(data.length, 40);
  return Buffer.concat([wav.subarray(0, 44), data]);
}

describe.skipIf(folder === undefined)('speech on this machine', () => {
  let speech: LocalSpeech;

  beforeAll(() => {
    const config = { folder: folder ?? '', idleMs: () => 60_000 };
    speech = createLocalSpeech({ ...config, clock: systemClock, logger: silentLogger });
  });
  afterAll(() => speech.close());

  const listen = async (bytes: Uint8Array) =>
    speech.transcriber.transcribe(await speech.inspect(bytes, NEVER), NEVER);

  test('what it says it understands', async () => {
    const { bytes, format } = await speech.createSpeaker(undefined).speak(TEXT, NEVER);

    expect(format).toBe('wav');
    expect(words(await listen(bytes))).toBe(HEARD);
  });

  test.each(['clip.webm', 'clip.ogg', 'vorbis.ogg', 'clip.mp3'])('understands %s', async (name) => {
    expect(words(await listen(await clip(name)))).toBe(HEARD);
  });

  test('says that it can not decode M4A, and what it can', async () => {
    await expect(listen(await clip('clip.m4a'))).rejects.toMatchObject({
      code: 'invalid_input',
      message:
        "local speech recognition can't decode AAC, as in M4A: send WAV, WebM or Ogg with Opus, Ogg Vorbis or MP3",
    });
  });

  test('hears nobody in silence and in noise', async () => {
    const seconds = Array.from({ length: 48_000 });
    const silence = encodeWav(seconds.map(() => 0));
    // Always the same noise.
    const noise = encodeWav(seconds.map((_, at) => 0.05 * Math.sin(at * at * 12.9898)));

    expect([await listen(silence), await listen(noise)]).toEqual(['', '']);
  });

  test('understands what is longer than the model takes at once', async () => {
    const sentence = 'The build is green and the tests have passed. ';
    const speaker = speech.createSpeaker(undefined);

    const { bytes } = await speaker.speak(sentence.repeat(5), NEVER);
    const { durationMs } = await speech.inspect(bytes, NEVER);
    const heard = words(await listen(bytes));

    expect(durationMs).toBeGreaterThan(15_000 * 0.8);
    expect(heard.split('green').length - 1).toBeGreaterThanOrEqual(4);
  });

  test('a server hears and answers without a network', async () => {
    const server = await openVoiceServer({
      env: { OPENAI_API_KEY: '', ELEVENLABS_API_KEY: '' },
      voice: { stt_provider: 'local', tts_provider: 'local' },
    });
    await putLocalSpeech(server.root, folder ?? '');

    const answer = await server.post('/api/voice/process?agent_id=lince', await clip('clip.webm'), {
      headers: { 'content-type': 'audio/webm;codecs=opus' },
    });

    expect([answer.status, answer.body]).toEqual([
      200,
      {
        transcript: expect.stringMatching(/status of the project/i),
        agent_response: expect.stringMatching(/^I was told: .*status of the project/i),
        tts_audio_url: expect.stringMatching(/\.wav$/),
        run_id: expect.any(String),
        session_id: expect.any(String),
      },
    ]);
  });
});
