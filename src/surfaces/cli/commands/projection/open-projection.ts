import type { CliContext } from '../../program/context.ts';
import type { ProjectionAccess } from './projection-access.ts';

/** What was projected, on the database itself: a server beside it notices what is written. */
export async function withProjection<T>(
  { parts, root, live }: CliContext,
  ask: (projection: ProjectionAccess) => Promise<T>,
): Promise<T> {
  const projection = await parts.openProjection({ root, warn: live.warn });
  try {
    return await ask(projection);
  } finally {
    await projection.close();
  }
}
