import type { JsonObject } from '../../../src/core/json.ts';
import { describeCommands } from '../../../src/surfaces/cli/schemas/describe-commands.ts';
import { toDocumentSchema } from '../../../src/surfaces/cli/schemas/document-schema.ts';

const SCHEMAS = describeCommands();

/** As `claw schema` prints it. A command without one has no document that fits. */
export function documentSchemaOf(command: string): JsonObject {
  return toDocumentSchema(SCHEMAS, command) ?? { enum: [] };
}
