import { RuntimeError } from '../../../core/errors.ts';
import type { TranscriptStore } from '../../../core/transcripts/transcript-store.ts';
import { defineCommand } from '../program/command.ts';
import {
  attempt,
  DIRECTORY_OPTION,
  failureOf,
  openTranscripts,
} from './sessions/transcript-access.ts';

export const deleteSession = defineCommand({
  usage: 'SESSION [--directory DIR]',
  description:
    'SESSION is an id. For good, with the older copies that were kept of it. Of several that delete the same one at\n' +
    'once exactly one is told so; for the others it was not found.',
  args: { min: 1, max: 1 },
  options: { directory: DIRECTORY_OPTION },
  examples: ['claw delete-session session-1775777421902-0'],
  async run({ args, options }, context) {
    const [id = ''] = args;
    const store = await openTranscripts(context, options.directory);
    return attempt(store, id, remove(store, id));
  },
  fields: (deleted) => ({
    session_id: deleted.isDone ? deleted.value : deleted.reference,
    deleted: deleted.isDone,
    directory: deleted.directory,
  }),
  failure: (outcome) => failureOf(outcome),
  text: (deleted) => (deleted.isDone ? `deleted: ${deleted.value}` : ''),
});

async function remove(store: TranscriptStore, id: string): Promise<string> {
  if (await store.remove(id)) return id;
  throw new RuntimeError('not_found', `session '${id}' not found in ${store.directory}`, {
    details: {
      thing: 'session',
      name: id,
      operation: 'resolve_session',
      hint: 'claw list-sessions shows the sessions there are',
    },
  });
}
