import {
  openSealedSecrets,
  type SealedSecrets,
  type SealedSecretsOptions,
} from './open-sealed-secrets.ts';
import { createSecretFilePlace } from './secret-file-place.ts';

export interface SecretFileOptions extends Omit<SealedSecretsOptions, 'place'> {
  readonly file: string;
}

/** The secrets of a state root that shares its database with nobody. */
export function openSecretFile({ file, ...options }: SecretFileOptions): Promise<SealedSecrets> {
  return openSealedSecrets({ ...options, place: createSecretFilePlace(file) });
}
