import type { CommsAccess } from './comms-access.ts';
import type { CliContext } from './context.ts';

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
