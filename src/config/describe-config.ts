import { z } from 'zod';
import type { ConfigDescription, ConfigField } from '../core/config-editor.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { API_KEY_VARIABLES } from './credentials.ts';
import { findFieldEffect } from './field-effects.ts';
import type { LiveConfig } from './live-config.ts';
import { OVERRIDES } from './overrides.ts';
import { configSchema } from './schema/schema.ts';
import { listFields, type SchemaField } from './schema/schema-fields.ts';

/** Made anew each time: it takes ten milliseconds, is seldom asked for, and would lie in memory for good. */
export function describeConfig(live: LiveConfig): ConfigDescription {
  return {
    // Made of plain values only.
    schema: z.toJSONSchema(configSchema, { io: 'input' }) as unknown as JsonObject,
    fields: listFields().map((field) => describeField(field, live)),
    pending: live.listPending(),
  };
}

function describeField(
  { path, schema, description, defaultValue }: SchemaField,
  live: LiveConfig,
): ConfigField {
  return {
    path,
    description,
    // Defaults are written in JSON's own values.
    defaultValue: defaultValue as JsonValue | undefined,
    needsRestart: findFieldEffect(path) === 'restart',
    isSecret: schema.meta()?.['writeOnly'] === true,
    variable: VARIABLES.get(path),
    isOverridden: live.isOverridden(path),
  };
}

const VARIABLES: ReadonlyMap<string, string | undefined> = new Map([
  ...OVERRIDES.map(({ field, variable }) => [field, variable] as const),
  ...Object.entries(API_KEY_VARIABLES).map(
    ([provider, variable]) => [`providers.${provider}.api_key`, variable] as const,
  ),
]);
