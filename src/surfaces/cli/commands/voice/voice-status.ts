import { defineCommand } from '../../program/command.ts';
import type { ProviderStatus } from './voice-access.ts';
import { withVoice } from './with-voice.ts';

export const voiceStatus = defineCommand({
  usage: '',
  description:
    'Asks nobody: it looks whether keys and files are there. STT_PROVIDER and TTS_PROVIDER count as they are set for this\n' +
    'command; a running server has its own.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw voice status'],
  run: (_input, context) => withVoice(context, (voice) => voice.status()),
  fields: ({ stt, tts, local }) => ({
    stt: toFields(stt),
    tts: toFields(tts),
    local: { state: local.state, folder: local.folder },
    via: 'local',
  }),
  text: ({ stt, tts, local }) =>
    [
      `hears   ${describe(stt)}`,
      `speaks  ${describe(tts)}`,
      `local   ${local.state}, in ${local.folder}`,
    ].join('\n'),
});

function toFields({ provider, nextStep }: ProviderStatus) {
  return { provider, ready: nextStep === undefined, next_step: nextStep ?? null };
}

function describe({ provider, nextStep }: ProviderStatus): string {
  return `${provider}: ${nextStep ?? 'ready'}`;
}
