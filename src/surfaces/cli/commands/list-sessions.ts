import type { TranscriptSummary } from '../../../core/transcripts/transcript-store.ts';
import { defineCommand } from '../program/command.ts';
import { toTimestamp } from '../program/envelope.ts';
import { DIRECTORY_OPTION, openTranscripts } from './sessions/transcript-access.ts';

const MAX_LIMIT = 1_000;

export const listSessions = defineCommand({
  usage: '[--limit N] [--directory DIR]',
  description:
    'Transcripts of conversations held on the command line in this workspace. Reads files only: no server, no\n' +
    'database, no credentials. Conversations that agents have on a server are in claw sessions list.',
  args: { min: 0, max: 0 },
  options: {
    limit: {
      kind: 'number',
      value: 'N',
      min: 1,
      max: MAX_LIMIT,
      isWhole: true,
      summary: `at most this many (default and at most ${MAX_LIMIT})`,
    },
    directory: DIRECTORY_OPTION,
  },
  examples: ['claw list-sessions', 'claw list-sessions --limit 5 --output-format json'],
  async run({ options }, context) {
    const { limit = MAX_LIMIT, directory } = options;
    const store = await openTranscripts(context, directory);
    const list = await store.list(limit);
    if (list.isCut)
      context.live.note(`note: these are the first ${list.transcripts.length}; there are more`);
    return { directory: store.directory, ...list };
  },
  fields: ({ directory, transcripts, isCut }) => ({
    directory,
    sessions_count: transcripts.length,
    sessions: transcripts.map(encodeSummary),
    truncated: isCut,
  }),
  text: ({ transcripts }) =>
    transcripts.length === 0 ? '(no sessions)' : transcripts.map(({ id }) => id).join('\n'),
});

/** Under the names that scripts of both kinds know. */
function encodeSummary(summary: TranscriptSummary) {
  const { id, path, createdAtMs, updatedAtMs, messageCount, promptCount, isReadable } = summary;
  return {
    session_id: id,
    created_at: toTimestamp(createdAtMs),
    last_modified: toTimestamp(updatedAtMs),
    prompt_count: promptCount,
    // A transcript is a record of what was said: it can always be gone on with.
    stopped: false,
    id,
    path,
    updated_at_ms: updatedAtMs,
    message_count: messageCount,
    readable: isReadable,
  };
}
