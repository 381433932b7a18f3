import type { CliContext } from '../program/context.ts';
import { askAt } from './ask-runtime.ts';

/** The secret store, without a runtime around it: where there is none, looking creates nothing. */
export async function openSecrets({ parts, root, live }: CliContext) {
  const secrets = await parts.openSecrets({ root, warn: live.warn });
  // They may be in a database, which must not keep a command from ending.
  return { deps: { secrets }, close: () => secrets.close() };
}

export const askSecrets = askAt({ read: openSecrets, write: openSecrets });
