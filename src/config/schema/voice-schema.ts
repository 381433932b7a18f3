import { z } from 'zod';
import { baseUrl } from './model-schema.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, whole } from './schema-bounds.ts';

const name = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');

const openai = z.strictObject({
  stt_model: name.default('whisper-1').describe('What hears, where OpenAI does.'),
  tts_model: name.default('gpt-4o-mini-tts').describe('What speaks, where OpenAI does.'),
  voice: name
    .default('alloy')
    .describe('Its voice, for agents and requests that name none of OpenAI.'),
});

const elevenlabs = z.strictObject({
  base_url: baseUrl.default('https://api.elevenlabs.io').describe('Where ElevenLabs is.'),
  model: name.default('eleven_multilingual_v2').describe('What speaks, where ElevenLabs does.'),
  voice: name
    .nullable()
    .default(null)
    .describe('Id of its voice, for agents and requests that name none.'),
});

/** Section of the config about speech. */
export const voice = z
  .strictObject({
    stt_provider: z
      .enum(['local', 'openai'])
      .default('local')
      .describe(
        'Who turns recordings into words. local: a small English model on this machine, once claw voice install has brought it. Keys are those of providers. STT_PROVIDER overrides it at any time.',
      ),
    tts_provider: z
      .enum(['local', 'openai', 'elevenlabs'])
      .default('local')
      .describe(
        'Who reads answers out. The key of ElevenLabs is ELEVENLABS_API_KEY or the secret provider/elevenlabs/api_key. TTS_PROVIDER overrides it at any time.',
      ),
    openai: openai.prefault({}),
    elevenlabs: elevenlabs.prefault({}),
    timeout_ms: whole(100, HOUR_MS)
      .default(30_000)
      .describe('Longest time that one request to a provider may take.'),
    answer_timeout_ms: whole(1000, HOUR_MS)
      .default(2 * MINUTE_MS)
      .describe(
        'Longest time that a spoken request waits for the answer of its agent; the run goes on after it.',
      ),
    idle_ms: whole(0, DAY_MS)
      .default(60_000)
      .describe('Local speech gives its memory back after so long without work.'),
    output_dir: z
      .string()
      .min(1)
      .max(4096)
      .refine((value) => !value.includes('\0'), 'must not contain NUL')
      .nullable()
      .default(null)
      .describe(
        'Folder for spoken answers, relative to the state root. Null: .openclawssy/voice/output. Several nodes share one.',
      ),
    output_max_age_ms: whole(MINUTE_MS, 365 * DAY_MS)
      .default(DAY_MS)
      .describe('Spoken answers are removed when they are older.'),
  })
  .prefault({});
