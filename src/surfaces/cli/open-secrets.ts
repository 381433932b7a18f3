import { RuntimeError } from '../../core/errors.ts';
import type { Secrets } from '../../core/secrets/secrets.ts';
import type { CliContext, LocalSecrets } from './context.ts';
import { findHealthyServer, type Via } from './open-runs.ts';
import type { SecretsAccess } from './secrets-access.ts';

/** Through the running server, else in this process. */
export async function openSecrets(
  context: CliContext,
): Promise<{ readonly via: Via; readonly secrets: SecretsAccess }> {
  const locate = () => findHealthyServer(context);
  const server = await locate();
  if (server === undefined) {
    return { via: 'local', secrets: createLocalAccess(await openLocalSecrets(context)) };
  }
  const { createRemoteSecrets } = await import('./remote/remote-secrets.ts');
  const secrets = createRemoteSecrets({ server, locate, clock: context.clock });
  return { via: 'server', secrets };
}

export function openLocalSecrets({ parts, root, live }: CliContext): Promise<LocalSecrets> {
  const warn = (message: string) => live.note(`${live.noteStyle.yellow('warning:')} ${message}`);
  return parts.openSecrets({ root, warn });
}

function createLocalAccess(secrets: Secrets): SecretsAccess {
  return {
    list: async () => (await secrets.list()).map(({ name }) => name),
    put: (name, value) => secrets.put(name, value),
    async remove(name) {
      if (await secrets.remove(name)) return;
      throw new RuntimeError('not_found', `secret ${name} does not exist`, {
        details: { thing: 'secret' },
      });
    },
  };
}
