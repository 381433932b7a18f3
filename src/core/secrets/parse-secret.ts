import { RuntimeError } from '../errors.ts';
import { MAX_SECRET_CHARS, MAX_SECRET_NAME_CHARS, SECRET_NAME_PATTERN } from './secrets.ts';

export function isSecretName(name: string): boolean {
  return name.length <= MAX_SECRET_NAME_CHARS && SECRET_NAME_PATTERN.test(name);
}

export function parseSecretName(name: string): string {
  if (isSecretName(name)) return name;
  throw invalid(
    'name',
    `must be parts of letters, digits, dots, dashes and underscores, joined by slashes, ` +
      `at most ${MAX_SECRET_NAME_CHARS} characters (it is ${JSON.stringify(name.slice(0, 140))})`,
  );
}

/** Says what is wrong with a value without a word of it. */
export function parseSecretValue(value: string): string {
  if (value === '') throw invalid('value', 'must not be empty');
  if (value.length > MAX_SECRET_CHARS) {
    throw invalid('value', `must have at most ${MAX_SECRET_CHARS} characters`);
  }
  // Half a surrogate pair would come back as another character.
  if (/\p{Surrogate}/u.test(value)) throw invalid('value', 'must be text');
  return value;
}

function invalid(field: 'name' | 'value', problem: string): RuntimeError {
  return new RuntimeError('invalid_input', `the ${field} of a secret ${problem}`, {
    details: { field },
  });
}
