import type { CommandEntry } from '../../program/command-entry.ts';

/** Speech on this machine, and by providers. */
export const VOICE_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'voice install',
    summary: 'Fetch what local speech needs, once',
    group: 'Voice',
    load: async () => (await import('./voice-install.ts')).voiceInstall,
  },
  {
    name: 'voice status',
    summary: 'Show who hears and who speaks, and what is missing',
    group: 'Voice',
    load: async () => (await import('./voice-status.ts')).voiceStatus,
  },
  {
    name: 'voice say',
    summary: 'Turn a text into a recording',
    group: 'Voice',
    load: async () => (await import('./voice-say.ts')).voiceSay,
  },
  {
    name: 'voice listen',
    summary: 'Print what is said in a recording',
    group: 'Voice',
    load: async () => (await import('./voice-listen.ts')).voiceListen,
  },
];
