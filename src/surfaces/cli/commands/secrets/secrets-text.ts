import { isSecretName } from '../../../../core/secrets/parse-secret.ts';
import { MAX_SECRET_NAME_CHARS } from '../../../../core/secrets/secrets.ts';
import { naming, parseError } from '../../program/errors.ts';

const LIST_HINT = 'claw secrets list shows the names there are';

export function parseSecretArgument(name: string | undefined, command: string): string {
  if (name !== undefined && isSecretName(name)) return name;
  const shown = JSON.stringify(name?.slice(0, MAX_SECRET_NAME_CHARS + 12) ?? '');
  throw parseError(`${shown} is not a secret's name`, {
    target: command,
    hint: 'names are letters, digits, dots, dashes and underscores, in parts joined by slashes: github/token',
  });
}

/** Says which secret was looked for when there is none. */
export function namingSecret<T>(name: string, lookup: Promise<T>): Promise<T> {
  return naming({ thing: 'secret', name, hint: LIST_HINT }, lookup);
}
