import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RuntimeError } from '../../core/errors.ts';
import { createFile } from '../../platform/create-file.ts';
import { isMissing } from '../../platform/errno-of.ts';
import { makeDirectory } from '../../platform/owner-only.ts';

const NODE_FILE = 'node-id';
const NODE_ID = /^node_[0-9a-f]{20}$/;

/** The name of this state root among those on one database. Made once, and kept as long as the state root. */
export async function openNodeId(stateRoot: string): Promise<string> {
  const known = await readNodeId(stateRoot);
  if (known !== undefined) return known;
  const directory = join(stateRoot, '.openclawssy');
  await makeDirectory(directory);
  const fresh = `node_${randomBytes(10).toString('hex')}`;
  // Whoever is first names the node; the others take that name.
  await createFile(join(directory, NODE_FILE), `${fresh}\n`);
  return (await readNodeId(stateRoot)) ?? fresh;
}

/** Undefined while the state root has no name. */
export async function readNodeId(stateRoot: string): Promise<string | undefined> {
  const path = join(stateRoot, '.openclawssy', NODE_FILE);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const id = text.trim();
  if (NODE_ID.test(id)) return id;
  throw new RuntimeError('config_invalid', `${path} does not hold the id of a node`, {
    details: {
      fix: 'restore it from a backup, or delete it and let other nodes record what this one left',
    },
  });
}
