import { RuntimeError } from '../../../../core/errors.ts';
import type { SpecProblem } from '../../../../core/skills/spec-problem.ts';
import type { CliContext } from '../../program/context.ts';
import type { LocalSkills } from './skills-access.ts';

/** Opens the store itself, beside a running server or without one, asks, and closes it whatever comes of it. */
export async function withSkills<T>(
  context: CliContext,
  access: 'read' | 'write',
  ask: (local: LocalSkills) => Promise<T>,
): Promise<T> {
  const { parts, root } = context;
  const local = await parts.openSkills({ root, warn: context.live.warn, access });
  try {
    return await ask(local);
  } catch (error) {
    throw error instanceof RuntimeError ? withProblems(error) : error;
  } finally {
    await local.close();
  }
}

const MAX_SAID = 3;

/** A terminal shows the message alone, so it names what is wrong. */
function withProblems(error: RuntimeError): RuntimeError {
  const problems: unknown = error.details?.['problems'];
  if (!Array.isArray(problems)) return error;
  const said = (problems as SpecProblem[])
    .slice(0, MAX_SAID)
    .map(({ path, message }) => `${path} ${message}`.trim());
  const more = problems.length > MAX_SAID ? ` and ${problems.length - MAX_SAID} more` : '';
  return new RuntimeError(error.code, `${error.message}: ${said.join('; ')}${more}`, {
    details: error.details ?? {},
    cause: error,
  });
}

/** In records: who published something without a signed request. */
export const PUBLISHED_BY = 'operator';
