import { toIso } from '../../core/clock.ts';
import type { SecretName } from '../../core/secrets/secrets.ts';
import type { SecretListShape } from './secret-shapes.ts';

export function encodeSecrets(names: readonly SecretName[]): SecretListShape {
  return {
    keys: names.map(({ name }) => name),
    secrets: names.map(({ name, updatedAtMs }) => ({ name, updated_at: toIso(updatedAtMs) })),
  };
}
