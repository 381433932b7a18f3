import * as z from 'zod';
import { mayUseSecret } from '../../core/secrets/secret-references.ts';
import type { Secrets } from '../../core/secrets/secrets.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';

interface SecretListing {
  /** Sorted. */
  readonly keys: readonly string[];
}

/** Names only: a value is used by its name, and no tool gives one out. */
export function createSecretsList(
  secrets: Pick<Secrets, 'list'>,
  listShared: () => readonly string[],
): Tool {
  return defineTool<Record<string, never>, SecretListing>({
    name: 'secrets.list',
    description:
      'List the names of the secrets you may use, never their values. Use one by its name: {{secret:NAME}} in a header of ' +
      'http.request.',
    effect: 'read',
    serves: 'everyone',
    source: 'src/toolbox/secrets/secrets-list.ts',
    input: z.strictObject({}),
    summarize: (_, { keys }) => `listed ${keys.length} secret name(s)`,

    async execute(_, { principal }) {
      const names = (await secrets.list()).map(({ name }) => name);
      return { keys: names.filter((name) => mayUseSecret(principal, name, listShared())) };
    },
  });
}
