import { RuntimeError } from '../../core/errors.ts';
import type { CliContext, LocalSecrets } from './context.ts';
import { findHealthyServer, type Via } from './open-runs.ts';
import type { SecretsAccess } from './secrets-access.ts';

/** Through the running server, else in this process. */
export async function openSecrets(
  context: CliContext,
): Promise<{ readonly via: Via; readonly secrets: SecretsAccess }> {
  const locate = () => findHealthyServer(context);
  const server = await locate();
  if (server === undefined) return { via: 'local', secrets: createLocalAccess(context) };
  const { createRemoteSecrets } = await import('./remote/remote-secrets.ts');
  const secrets = createRemoteSecrets({ server, locate, clock: context.clock });
  return { via: 'server', secrets };
}

function openLocalSecrets({ parts, root, live }: CliContext): Promise<LocalSecrets> {
  const warn = (message: string) => live.note(`${live.noteStyle.yellow('warning:')} ${message}`);
  return parts.openSecrets({ root, warn });
}

/** Opens the secrets for one piece of work. They may be in a database, which must not keep a command from ending. */
export async function withLocalSecrets<T>(
  context: CliContext,
  work: (secrets: LocalSecrets) => Promise<T>,
): Promise<T> {
  const secrets = await openLocalSecrets(context);
  try {
    return await work(secrets);
  } finally {
    await secrets.close();
  }
}

function createLocalAccess(context: CliContext): SecretsAccess {
  return {
    list: () =>
      withLocalSecrets(context, async (secrets) => (await secrets.list()).map(({ name }) => name)),
    put: (name, value) => withLocalSecrets(context, (secrets) => secrets.put(name, value)),
    async remove(name) {
      if (await withLocalSecrets(context, (secrets) => secrets.remove(name))) return;
      throw new RuntimeError('not_found', `secret ${name} does not exist`, {
        details: { thing: 'secret' },
      });
    },
  };
}
