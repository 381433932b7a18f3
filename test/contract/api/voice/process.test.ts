import { expect, test } from 'vitest';
import type { RunId, SessionId } from '../../../../src/core/ids.ts';
import type { Answer } from '../../v1/http-client.ts';
import { LINCE } from '../open-team-server.ts';
import { MP3, openSpeechProvider, openVoiceServer, SPOKEN, WAV } from './open-voice-server.ts';

const PATH = '/api/voice/process';
const ANSWER = {
  transcript: 'resume project status for today',
  agent_response: 'I was told: resume project status for today',
  tts_audio_url: expect.stringMatching(/^\/api\/voice\/output\/tts_[0-9a-f-]{36}\.mp3$/),
  run_id: expect.stringMatching(/^run_/),
  session_id: expect.stringMatching(/^session_/),
};

const bodyOf = ({ body }: Answer) =>
  body as Record<'run_id' | 'session_id' | 'tts_audio_url', string>;

test('a recording is heard, answered by a run of the agent, and read out', async () => {
  const provider = await openSpeechProvider();
  const server = await openVoiceServer({ provider });

  const answer = await server.post(PATH, { ...SPOKEN, project_id: 'proj_001', voice_id: 'lynx' });

  expect([answer.status, answer.body]).toEqual([200, ANSWER]);
  const { run_id: runId, tts_audio_url: url } = bodyOf(answer);
  expect(await server.runtime.runs.get(runId as RunId)).toMatchObject({
    agentId: LINCE,
    owner: 'operator',
    source: 'voice',
    projectId: 'proj_001',
    message: 'resume project status for today',
    status: 'completed',
  });
  const [heard, spoken] = provider.requests;
  expect([heard?.path, heard?.headers.authorization]).toEqual([
    '/v1/audio/transcriptions',
    'Bearer sk-test-1',
  ]);
  const form = await new Response(new Uint8Array(heard?.body ?? []), {
    headers: { 'content-type': heard?.headers['content-type'] ?? '' },
  }).formData();
  expect([form.get('model'), form.get('response_format')]).toEqual(['whisper-1', 'json']);
  const file = form.get('file') as File;
  expect([file.name, file.type, Buffer.from(await file.arrayBuffer())]).toEqual([
    'audio.wav',
    'audio/wav',
    WAV,
  ]);
  expect([spoken?.path, spoken?.headers['xi-api-key']]).toEqual([
    '/v1/text-to-speech/lynx?output_format=mp3_44100_128',
    'el-test-1',
  ]);
  expect(JSON.parse(String(spoken?.body))).toEqual({
    text: 'I was told: resume project status for today',
    model_id: 'eleven_multilingual_v2',
  });
  const audio = await fetch(`${server.url}${url}`, {
    headers: { authorization: 'Bearer test-token-3f9c' },
  });
  expect(Buffer.from(await audio.arrayBuffer())).toEqual(MP3);
});

test('what is said to one agent in one project is one conversation', async () => {
  const server = await openVoiceServer({ provider: await openSpeechProvider() });

  const sessions: string[] = [];
  for (const body of [{}, {}, { project_id: 'other' }, { agent_id: 'buho' }]) {
    sessions.push(bodyOf(await server.post(PATH, { ...SPOKEN, ...body })).session_id);
  }
  const [first = '', again, other, buho] = sessions;
  const named = await server.post(PATH, { ...SPOKEN, session_id: first });

  expect(again).toBe(first);
  expect(new Set([first, other, buho]).size).toBe(3);
  expect(bodyOf(named).session_id).toBe(first);
  const { messages } = await server.runtime.sessions.messages(first as SessionId, { limit: 10 });
  expect(messages).toHaveLength(6);
});

test('a session of a user of a product is not gone on with', async () => {
  const provider = await openSpeechProvider();
  const server = await openVoiceServer({ provider });
  const place = { channel: 'app', userId: '42', roomId: 'r', agentId: LINCE as never };
  const { id } = await server.runtime.sessions.start({ ...place, owner: 'user:42' });

  const answer = await server.post(PATH, { ...SPOKEN, session_id: id });

  expect([answer.status, answer.body]).toMatchObject([404, { error: { code: 'not_found' } }]);
});

test('a form and a recording by itself are answered as JSON is', async () => {
  const server = await openVoiceServer({ provider: await openSpeechProvider() });
  const form = new FormData();
  form.append('agent_id', 'lince');
  form.append('audio', new Blob([new Uint8Array(WAV)], { type: 'audio/wav' }), 'clip.wav');
  const encoded = new Response(form);
  const body = Buffer.from(await encoded.arrayBuffer());
  const type = encoded.headers.get('content-type') ?? '';

  const fromForm = await server.post(PATH, body, { headers: { 'content-type': type } });
  const alone = await server.post(`${PATH}?agent_id=lince&project_id=p`, WAV, {
    headers: { 'content-type': 'audio/wav' },
  });
  const dataUrl = `data:audio/wav;codecs=1;base64,${SPOKEN.audio_base64}`;
  const asUrl = await server.post(PATH, { ...SPOKEN, audio_base64: dataUrl });

  for (const answer of [fromForm, alone, asUrl]) {
    expect([answer.status, answer.body]).toEqual([200, ANSWER]);
  }
});

test('steps come as they happen to whoever wants a stream', async () => {
  const server = await openVoiceServer({ provider: await openSpeechProvider() });

  const answer = await server.post(PATH, SPOKEN, { headers: { accept: 'text/event-stream' } });

  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/event-stream']);
  const frames = [...answer.text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(
    ([, event, data]) => [event, JSON.parse(data ?? '')],
  );
  const { transcript, run_id, session_id, agent_response, tts_audio_url } = ANSWER;
  expect(frames).toEqual([
    ['transcript', { transcript, run_id, session_id }],
    ['delta', { text: 'I was told: resume project status for today' }],
    ['answer', { agent_response }],
    ['audio', { tts_audio_url }],
    ['done', ANSWER],
  ]);
});

test('a fault after the agent has answered is the last event of the stream', async () => {
  const provider = await openSpeechProvider({ speak: (response) => response.end('no mp3') });
  const server = await openVoiceServer({ provider });

  const answer = await server.post(PATH, SPOKEN, { headers: { accept: 'text/event-stream' } });

  const last = answer.text.trim().split('\n\n').at(-1) ?? '';
  expect(last).toMatch(/^event: error\n/);
  expect(JSON.parse(last.replace(/^event: error\ndata: /, ''))).toEqual({
    error: {
      code: 'provider_runtime_error',
      message: 'ElevenLabs sent an answer that is no MP3',
      details: {
        taxonomy: 'dependency',
        recovery_action: 'Try again in a while; the message says what the provider answered.',
        run_id: expect.stringMatching(/^run_/),
      },
    },
  });
});

test('the same key with the same recording is one run, whatever is heard the second time', async () => {
  let heard = 0;
  const provider = await openSpeechProvider({
    hear(response) {
      heard += 1;
      response.end(JSON.stringify({ text: `take ${heard}` }));
    },
  });
  const server = await openVoiceServer({ provider });
  const headers = { 'idempotency-key': 'k-1' };

  const first = await server.post(PATH, SPOKEN, { headers });
  const again = await server.post(PATH, SPOKEN, { headers });
  const other = await server.post(PATH, { ...SPOKEN, project_id: 'x' }, { headers });

  expect(bodyOf(again).run_id).toBe(bodyOf(first).run_id);
  expect(again.body).toMatchObject({ transcript: 'take 1', agent_response: 'I was told: take 1' });
  expect(again.headers['idempotent-replay']).toBe('true');
  expect(other.status).toBe(409);
});

test('what looks like a secret is neither kept nor repeated', async () => {
  const secret = 'sk-test-1';
  const provider = await openSpeechProvider({
    hear: (response) => response.end(JSON.stringify({ text: `my key is ${secret}` })),
  });
  const server = await openVoiceServer({ provider });

  const answer = await server.post(PATH, SPOKEN);

  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain(secret);
});
