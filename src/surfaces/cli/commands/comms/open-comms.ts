import type { CliContext } from '../../program/context.ts';
import type { CommsAccess } from './comms-access.ts';

/** Suppressions, on the database itself: a server beside it reads them anew for each message. */
export async function withComms<T>(
  { parts, root, live }: CliContext,
  ask: (comms: CommsAccess) => Promise<T>,
): Promise<T> {
  const comms = await parts.openComms({ root, warn: live.warn });
  try {
    return await ask(comms);
  } finally {
    await comms.close();
  }
}
