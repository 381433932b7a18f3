import type { ConfigEditor, FieldProblem } from '../../../../core/config-editor.ts';
import { RuntimeError } from '../../../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../../../core/json.ts';

/** Field errors say more than the message they come with, and are the same from everywhere. */
export async function explainingRefusal<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    const problems = error instanceof RuntimeError ? findProblems(error) : [];
    throw problems.length === 0 ? error : configRefused(problems, error);
  }
}

/** Asked before a state root is created: a slip must not leave one behind. */
export async function assertValid(editor: ConfigEditor, change: JsonObject): Promise<void> {
  const problems = await editor.validate(withoutRemovals(change));
  if (problems.length > 0) throw configRefused(problems);
}

function withoutRemovals(change: JsonObject): JsonObject {
  const kept = Object.entries(change).filter(([, value]) => value !== null);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isJsonObject(value) ? withoutRemovals(value) : value]),
  );
}

const FIX = '; to fix: ';

function configRefused(problems: readonly FieldProblem[], cause?: unknown): RuntimeError {
  const [first, ...rest] = problems;
  const { path = '', message = 'is invalid' } = first ?? {};
  const [problem = '', hint] = message.split(FIX, 2);
  const more =
    rest.length === 0 ? '' : ` (${rest.length} more: ${rest.map((one) => one.path).join(', ')})`;
  return new RuntimeError('config_invalid', `${path || 'the configuration'} ${problem}${more}`, {
    cause,
    details: { target: path, hint },
  });
}

function findProblems({ details }: RuntimeError): FieldProblem[] {
  const errors = details?.['field_errors'];
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((one: unknown) => {
    if (!isJsonObject(one)) return [];
    const { path, message } = one;
    return typeof path === 'string' && typeof message === 'string' ? [{ path, message }] : [];
  });
}
