import { findEntry, HELP_ENTRY, listSubcommands } from './command-table.ts';
import { explainCommand, explainGroup, explainProgram, type Help } from './help-text.ts';
import type { Suggest } from './parse-options.ts';
import { getEntry } from './parse-request.ts';

/** Help for a command, for a group such as `runs`, or for the whole program. */
export async function explain(words: readonly string[], suggest: Suggest): Promise<Help> {
  const [first] = words;
  if (first === undefined || first === HELP_ENTRY.name) return explainProgram();
  const name = words.join(' ');
  const group = listSubcommands(name);
  // `handoff` is both: its page names the others.
  const own = findEntry(name);
  if (group.length > 0 && !own) return explainGroup(name, group);
  const entry = own ?? (await getEntry(words, suggest));
  return explainCommand(entry, await entry.load());
}
