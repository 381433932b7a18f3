import { defineCommand } from '../program/command.ts';
import { toTimestamp } from '../program/envelope.ts';
import {
  attempt,
  DIRECTORY_OPTION,
  encodeCounts,
  failureOf,
  openTranscripts,
  tornTailNote,
} from './sessions/transcript-access.ts';

export const loadSession = defineCommand({
  usage: 'SESSION [--directory DIR]',
  description:
    'SESSION is an id, latest (or last, recent), or the path of a file in the sessions folder. The whole file is read:\n' +
    'one that is damaged is told from one that is not there. Reads files only.',
  args: { min: 1, max: 1 },
  options: { directory: DIRECTORY_OPTION },
  examples: ['claw load-session latest', 'claw load-session session-1775777421902-0'],
  async run({ args, options }, context) {
    const [reference = ''] = args;
    const store = await openTranscripts(context, options.directory);
    const loaded = await attempt(store, reference, store.load(reference));
    if (loaded.isDone && loaded.value.hasTornTail) context.live.note(tornTailNote(loaded.value.id));
    return loaded;
  },
  fields(loaded) {
    const { directory } = loaded;
    if (!loaded.isDone) return { session_id: loaded.reference, loaded: false, directory };
    const { value } = loaded;
    return {
      session_id: value.id,
      loaded: true,
      directory,
      path: value.path,
      ...encodeCounts(value),
      torn_tail: value.hasTornTail,
      created_at: toTimestamp(value.createdAtMs),
      last_modified: toTimestamp(value.updatedAtMs),
      workspace_root: value.workspaceRoot ?? null,
      model: value.model ?? null,
      parent_session_id: value.parentId ?? null,
      session: { id: value.id, path: value.path, messages: value.messages.length },
    };
  },
  failure: (outcome) => failureOf(outcome),
  text(loaded) {
    if (!loaded.isDone) return '';
    const { id, messages, usage } = loaded.value;
    return `${id}\n${messages.length} messages\nin=${usage.inputTokens} out=${usage.outputTokens}`;
  },
});
