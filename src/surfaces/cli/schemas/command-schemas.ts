import type { CommandSchema } from './command-schema.ts';
import { COMMS_SCHEMAS } from './comms-schemas.ts';
import { INVENTORY_SCHEMAS } from './inventory-schemas.ts';
import { PROJECTION_SCHEMAS } from './projection-schemas.ts';
import { SESSION_FILE_SCHEMAS } from './session-file-schemas.ts';
import { SKILL_SCHEMAS } from './skill-schemas.ts';
import { TURN_SCHEMAS } from './turn-schemas.ts';

/** The commands of contract 3. */
export const CONTRACT_SCHEMAS: Readonly<Record<string, CommandSchema>> = {
  ...SESSION_FILE_SCHEMAS,
  ...INVENTORY_SCHEMAS,
  ...TURN_SCHEMAS,
};

/** The JSON documents of all commands, by the command's whole name. */
export async function loadSchemas(): Promise<Readonly<Record<string, CommandSchema>>> {
  // These are made from shapes of the HTTP surfaces, whose schema library takes a moment to load.
  const [{ ADMIN_SCHEMAS }, { PROGRAM_SCHEMAS }] = await Promise.all([
    import('./admin-schemas.ts'),
    import('./program-schemas.ts'),
  ]);
  return {
    ...CONTRACT_SCHEMAS,
    ...PROGRAM_SCHEMAS,
    ...SKILL_SCHEMAS,
    ...ADMIN_SCHEMAS,
    ...PROJECTION_SCHEMAS,
    ...COMMS_SCHEMAS,
  };
}

/** The file that a schema is published in, under `docs/contracts/cli/`. */
export function toSchemaFile(command: string): string {
  return `${command.replaceAll(' ', '-')}.schema.json`;
}
