import type { CommandEntry } from '../../program/command-entry.ts';

/** Conversations as files, for people and scripts: without a server, a database or a configuration. */
export const TRANSCRIPT_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'list-sessions',
    summary: 'List the transcripts of this workspace, last updated first',
    group: 'Transcripts',
    load: async () => (await import('../list-sessions.ts')).listSessions,
  },
  {
    name: 'load-session',
    summary: 'Check that a transcript can be read, and how much is in it',
    group: 'Transcripts',
    load: async () => (await import('../load-session.ts')).loadSession,
  },
  {
    name: 'delete-session',
    summary: 'Delete a transcript',
    group: 'Transcripts',
    load: async () => (await import('../delete-session.ts')).deleteSession,
  },
  {
    name: 'flush-transcript',
    summary: 'Write a transcript anew, durably; or make one of a prompt',
    group: 'Transcripts',
    load: async () => (await import('../flush-transcript.ts')).flushTranscript,
  },
];
