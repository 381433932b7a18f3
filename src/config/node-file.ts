import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { RuntimeError } from '../core/errors.ts';
import { toStorageFault } from './storage-fault.ts';
import { createFile } from './write-file.ts';

const NODE_ID_BYTES = 8;
const NODE_ID = /^[0-9a-f]{16}$/;

/**
 * What this state root is called among the servers of one database, from its first server on. Only for whoever holds the
 * root's lock: of one name there is never more than one server.
 */
export async function openNodeId(file: string): Promise<string> {
  await createFile(file, `${randomBytes(NODE_ID_BYTES).toString('hex')}\n`);
  const id = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw toStorageFault('read', file, cause);
  });
  if (NODE_ID.test(id.trim())) return id.trim();
  const fix = 'delete it, and the next start makes a new one';
  throw new RuntimeError(
    'config_invalid',
    `${file} does not hold the id of a node; to fix: ${fix}`,
    {
      details: { file, fix },
    },
  );
}
