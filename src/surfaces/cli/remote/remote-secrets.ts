import { z } from 'zod';
import type { SecretsAccess } from '../secrets-access.ts';
import { at, createAdminClient } from './admin-client.ts';
import type { ServerLinkOptions } from './server-link.ts';

const secretKeys = z.object({ keys: z.array(z.string()) });
const done = z.object({ ok: z.literal(true) });

/** The secrets of a running server, which gives out their names only. */
export function createRemoteSecrets(options: ServerLinkOptions): SecretsAccess {
  const { get, put, remove } = createAdminClient(options);
  return {
    list: async () => (await get('/secrets', secretKeys)).keys,
    async put(name, value) {
      await put('/secrets', done, { name, value });
    },
    async remove(name) {
      await remove(at`/secrets/${name}`, done);
    },
  };
}
