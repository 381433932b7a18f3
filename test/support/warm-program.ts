import { startBuiltServer } from './built-server.ts';
import { openTempRoot } from './temp-root.ts';

/**
 * Has the build compiled once, beside the first tests. A server keeps its compiled code a second after its start; those of
 * tests seldom live that long, and each would compile all of it again, which is a third of what its start takes.
 */
export async function warmProgram(): Promise<() => Promise<void>> {
  const root = await openTempRoot();
  const env = { CLAW_MODEL: 'offline/rules', LOG_LEVEL: 'warn' };
  const server = startBuiltServer({ root: root.path, env });
  // One that does not start is for the tests to report.
  server.ready.catch(() => {});
  return async () => {
    await server.kill();
    await root.remove();
  };
}
