import { resolve } from 'node:path';
import { MAX_SPOKEN_CHARS } from '../../../../core/voice/to-spoken-text.ts';
import { createFile } from '../../../../platform/create-file.ts';
import { replaceFile } from '../../../../platform/replace-file.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import { readText } from '../../read-message.ts';
import { withVoice } from './with-voice.ts';

const COMMAND = 'voice say';

export const voiceSay = defineCommand({
  usage: 'TEXT|- [--out FILE] [--voice NAME]',
  description:
    'Speaks with the configured provider (voice.tts_provider, or TTS_PROVIDER) and writes a WAV or MP3 file: speech.wav or\n' +
    'speech.mp3 here unless --out names another. Only a file that --out names is replaced. Local speech has the voices slt,\n' +
    'awb, rms, kal and kal16. - reads the text from standard input.',
  args: { min: 0, max: 1000 },
  options: {
    out: { kind: 'text', value: 'FILE', summary: 'write the recording to this file' },
    voice: { kind: 'text', value: 'NAME', summary: 'what the provider calls the voice' },
  },
  examples: ['claw voice say "the build is green"', 'claw voice say - --out notes.wav < notes.txt'],
  async run({ args, options }, context) {
    const text = await readText(args, context.input, {
      command: COMMAND,
      what: 'text',
      argument: 'TEXT',
      maxChars: MAX_SPOKEN_CHARS,
      hint: 'give it as an argument, or on standard input',
      longHint: 'say it in parts',
    });
    const { bytes, format } = await withVoice(context, (voice) =>
      voice.speak(text, options.voice, context.signal),
    );
    const file = resolve(options.out ?? `speech.${format}`);
    await write(file, bytes, options.out !== undefined);
    return { file, format, bytes: bytes.length };
  },
  fields: (spoken) => ({ ...spoken, via: 'local' }),
  text: ({ file }) => file,
});

async function write(file: string, bytes: Uint8Array, mayReplace: boolean): Promise<void> {
  if (mayReplace) return replaceFile(file, bytes, { mode: 0o644 });
  if (await createFile(file, bytes)) return;
  throw parseError(`${file} exists`, { target: COMMAND, hint: 'name a file with --out' });
}
