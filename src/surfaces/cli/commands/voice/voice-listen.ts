import { open } from 'node:fs/promises';
import { MAX_AUDIO_BYTES } from '../../../../core/voice/audio.ts';
import { audioTooLarge } from '../../../../core/voice/voice-errors.ts';
import { defineCommand } from '../../program/command.ts';
import type { InputStream } from '../../program/context.ts';
import { withVoice } from './with-voice.ts';

export const voiceListen = defineCommand({
  usage: 'FILE|-',
  description:
    'Understands with the configured provider (voice.stt_provider, or STT_PROVIDER): a WAV, WebM, Ogg, MP3 or M4A file of at\n' +
    `most ${MAX_AUDIO_BYTES} bytes and two minutes. Local speech understands English, and decodes all of these but M4A.\n` +
    '- reads the recording from standard input.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw voice listen question.webm'],
  async run({ args }, context) {
    const [path = ''] = args;
    const bytes = path === '-' ? await readInput(context.input) : await readRecording(path);
    return withVoice(context, (voice) => voice.listen(bytes, context.signal));
  },
  fields: ({ transcript, format, durationMs }) => ({
    transcript,
    format,
    duration_ms: durationMs,
    via: 'local',
  }),
  text: ({ transcript }) => transcript,
});

/** No more is read of a large file than shows that it is one. */
async function readRecording(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const buffer = new Uint8Array(MAX_AUDIO_BYTES + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    if (length > MAX_AUDIO_BYTES) throw audioTooLarge();
    return buffer.subarray(0, length);
  } finally {
    await file.close();
  }
}

async function readInput(input: InputStream): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > MAX_AUDIO_BYTES) throw audioTooLarge();
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
