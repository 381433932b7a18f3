import { HELP_ENTRY, listSubcommands } from './command-table.ts';
import { explainCommand, explainGroup, explainProgram, type Help } from './help-text.ts';
import type { Suggest } from './parse-options.ts';
import { getEntry } from './parse-request.ts';

/** Help for a command, for a group such as `runs`, or for the whole program. */
export async function explain(words: readonly string[], suggest: Suggest): Promise<Help> {
  const [first] = words;
  if (first === undefined || first === HELP_ENTRY.name) return explainProgram();
  const group = listSubcommands(words.join(' '));
  if (group.length > 0) return explainGroup(words.join(' '), group);
  const entry = await getEntry(words, suggest);
  return explainCommand(entry, await entry.load());
}
