import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { configSchema } from './schema/schema.ts';
import { listFields } from './schema/schema-fields.ts';
import { replaceStateFile } from './state-root/state-file.ts';

/** The config's JSON schema, for completion and explanations in editors. Written again only when the fields changed. */
export async function writeSchemaFile(path: string): Promise<void> {
  // Making the schema takes ten milliseconds of every start; its fingerprint takes less than one.
  const fingerprint = fingerprintFields();
  const current = await readFile(path, 'utf8').catch(() => '');
  if (current.includes(fingerprint)) return;
  const schema = z.toJSONSchema(configSchema, { io: 'input' });
  await replaceStateFile(
    path,
    `${JSON.stringify({ $comment: fingerprint, ...schema }, null, 2)}\n`,
  );
}

function fingerprintFields(): string {
  const hash = createHash('sha256');
  for (const { path, description, defaultValue } of listFields()) {
    hash.update(JSON.stringify([path, description, defaultValue]));
  }
  return `fields ${hash.digest('hex')}`;
}
