import { expect, test, vi } from 'vitest';
import type { AgentId } from '../../../../src/core/ids.ts';
import { OPERATOR } from '../../../../src/core/principal.ts';
import { LINCE } from '../open-team-server.ts';
import {
  hears,
  openSpeechProvider,
  openVoiceServer,
  SPOKEN,
  says,
  type VoiceOptions,
} from './open-voice-server.ts';

const PATH = '/api/voice/process';

async function answerOf(options: VoiceOptions, body: object = SPOKEN) {
  const server = await openVoiceServer(options);
  const { status, body: answered } = await server.post(PATH, body);
  return [status, answered];
}

function misconfigured(recovery: string) {
  return {
    error: {
      code: 'provider_configuration_error',
      message: 'Voice providers are not configured correctly',
      details: { taxonomy: 'dependency', recovery_action: recovery },
    },
  };
}

function failed(message: string, more: object = {}) {
  const recovery_action = 'Try again in a while; the message says what the provider answered.';
  return {
    error: {
      code: 'provider_runtime_error',
      message,
      details: { taxonomy: 'dependency', recovery_action, ...more },
    },
  };
}

const NO_KEYS = { OPENAI_API_KEY: '', ELEVENLABS_API_KEY: '' };

test.each<readonly [VoiceOptions, string]>([
  [{ env: NO_KEYS }, 'Set OPENAI_API_KEY when STT_PROVIDER=openai.'],
  [{ env: { ELEVENLABS_API_KEY: '' } }, 'Set ELEVENLABS_API_KEY when TTS_PROVIDER=elevenlabs.'],
  [
    { env: { ELEVENLABS_DEFAULT_VOICE_ID: '' } },
    'Set ELEVENLABS_DEFAULT_VOICE_ID when TTS_PROVIDER=elevenlabs.',
  ],
  [{ voice: { stt_provider: 'local' } }, 'Run claw voice install when STT_PROVIDER=local.'],
  [{ voice: { tts_provider: 'local' } }, 'Run claw voice install when TTS_PROVIDER=local.'],
])('%j is answered with the next step, before anybody is asked', async (options, recovery) => {
  const provider = await openSpeechProvider();

  const answer = await answerOf({ ...options, provider });

  expect(answer).toEqual([503, misconfigured(recovery)]);
  expect(provider.requests).toEqual([]);
});

test('the environment is read at every request, and what it names wrongly is said', async () => {
  const provider = await openSpeechProvider();
  const server = await openVoiceServer({ provider });
  const ask = async () => {
    const { status, body } = await server.post(PATH, SPOKEN);
    return status === 200 ? status : body;
  };

  const answers: unknown[] = [await ask()];
  for (const [name, value] of [
    ['STT_PROVIDER', 'parrot'],
    ['STT_PROVIDER', ' OpenAI '],
    ['TTS_PROVIDER', 'parrot'],
    ['TTS_PROVIDER', 'openai'],
  ] as const) {
    vi.stubEnv(name, value);
    answers.push(await ask());
  }
  vi.unstubAllEnvs();

  expect(answers).toEqual([
    200,
    misconfigured('Set STT_PROVIDER to local or openai.'),
    200,
    misconfigured('Set TTS_PROVIDER to local, openai or elevenlabs.'),
    200,
  ]);
  const spoken = provider.requests.at(-1);
  expect(spoken?.path).toBe('/v1/audio/speech');
  expect(JSON.parse(String(spoken?.body))).toEqual({
    model: 'gpt-4o-mini-tts',
    voice: 'alloy',
    input: 'I was told: resume project status for today',
    response_format: 'mp3',
  });
});

test('keys come from the secret store too', async () => {
  const provider = await openSpeechProvider();
  const server = await openVoiceServer({ provider, env: NO_KEYS });
  await server.runtime.secrets.put('provider/openai/api_key', 'sk-stored');
  await server.runtime.secrets.put('provider/elevenlabs/api_key', 'el-stored');

  const { status } = await server.post(PATH, SPOKEN);

  expect(status).toBe(200);
  const [heard, spoken] = provider.requests;
  expect([heard?.headers.authorization, spoken?.headers['xi-api-key']]).toEqual([
    'Bearer sk-stored',
    'el-stored',
  ]);
});

test('an agent speaks with its own voice', async () => {
  const provider = await openSpeechProvider();
  const server = await openVoiceServer({ provider });
  await server.runtime.storage.agents.update(LINCE as AgentId, { voiceId: 'own voice/1' });

  await server.post(PATH, SPOKEN);

  expect(provider.requests.at(-1)?.path).toBe(
    '/v1/text-to-speech/own%20voice%2F1?output_format=mp3_44100_128',
  );
});

test('a provider that is down, slow, or answers nonsense is 502', async () => {
  const down = await answerOf({});
  const slow = await answerOf({
    provider: await openSpeechProvider({ hear: () => {} }),
    voice: { timeout_ms: 200 },
  });
  const noJson = await answerOf({
    provider: await openSpeechProvider({ hear: (response) => response.end('<html>') }),
  });
  const noText = await answerOf({
    provider: await openSpeechProvider({ hear: says(200, { words: 'x' }) }),
  });
  const broken = await answerOf({
    provider: await openSpeechProvider({
      hear: says(500, { error: { message: 'bad day for sk-test-1' } }),
    }),
  });

  expect([down, slow, noJson, noText, broken]).toEqual([
    [502, failed('OpenAI cannot be reached at http://127.0.0.1:9')],
    [502, failed('OpenAI did not answer within 200 ms (voice.timeout_ms)')],
    [502, failed('OpenAI sent an answer without a text')],
    [502, failed('OpenAI sent an answer without a text')],
    [502, failed('OpenAI answered HTTP 500: bad day for [key]')],
  ]);
});

test('a key that the provider refuses is a matter of configuration', async () => {
  const provider = await openSpeechProvider({ hear: says(401, { error: 'no' }) });

  const answer = await answerOf({ provider });

  expect(answer).toEqual([
    503,
    misconfigured('OpenAI refuses the key in OPENAI_API_KEY: set another one.'),
  ]);
});

test('a voice that fails after the answer names the run that has it', async () => {
  const provider = await openSpeechProvider({
    speak: says(429, { detail: { message: 'slow down' } }),
  });

  const answer = await answerOf({ provider });

  const run_id = expect.stringMatching(/^run_/);
  expect(answer).toEqual([502, failed('ElevenLabs answered HTTP 429: slow down', { run_id })]);
});

test('silence is no message', async () => {
  const provider = await openSpeechProvider({ hear: hears('  ') });
  const server = await openVoiceServer({ provider });

  const { status, body } = await server.post(PATH, SPOKEN);

  expect([status, body]).toEqual([
    400,
    {
      error: {
        code: 'validation_error',
        message: 'no speech was heard in the recording',
        details: {
          taxonomy: 'validation',
          recovery_action: 'Check the microphone and send the recording again.',
        },
      },
    },
  ]);
  expect((await server.runtime.runs.list({ limit: 1 })).runs).toEqual([]);
});

test('nobody is paid while everything is stopped, or a budget is used up', async () => {
  const provider = await openSpeechProvider();
  const server = await openVoiceServer({ provider });

  await server.runtime.killSwitch.turn({ isOn: true, actor: OPERATOR, reason: 'test' });
  const stopped = await server.post(PATH, SPOKEN);
  await server.runtime.killSwitch.turn({ isOn: false, actor: OPERATOR, reason: 'test' });
  await server.call('/api/costs/budgets', {
    method: 'PUT',
    body: { scope: 'agent', agent_id: 'lince', budget_tokens: 0 },
  });
  const broke = await server.post(PATH, SPOKEN);

  expect(stopped.status).toBeGreaterThanOrEqual(400);
  expect([broke.status, broke.body]).toMatchObject([429, { error: { code: 'budget_exceeded' } }]);
  expect(provider.requests).toEqual([]);
});

test('an answer that takes too long is 504, and its run goes on', async () => {
  const provider = await openSpeechProvider();
  const never = {
    ...{ provider: 'test', name: 'never', toolCalls: 'native' as const },
    async *stream(_request: unknown, signal: AbortSignal) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      yield {
        type: 'finish' as const,
        reason: 'stop' as const,
        usage: { inputTokens: 1, outputTokens: 1 },
      };
    },
  };
  const server = await openVoiceServer({
    provider,
    model: never,
    voice: { answer_timeout_ms: 1000 },
  });

  const { status, body } = await server.post(PATH, SPOKEN);

  const [run] = (await server.runtime.runs.list({ limit: 1 })).runs;
  expect([status, body]).toMatchObject([
    504,
    { error: { code: 'timeout', details: { run_id: run?.id } } },
  ]);
  expect(run?.status).toBe('running');
});
