import { createBwrapSandbox } from '../../src/sandbox/create-bwrap-sandbox.ts';
import { findOnPath, installPackage } from './system-packages.ts';
import { openTempRoot } from './temp-root.ts';

/** Why no command can run in a real sandbox here, or undefined. Says so once, and throws where engines are required. */
export async function findWhyNoBwrap(what: string): Promise<string | undefined> {
  const reason = await whyUnavailable();
  if (reason === undefined) return undefined;
  if (process.env['REQUIRE_ENGINES'] === '1') throw new Error(`bwrap: ${reason}`);
  process.stderr.write(`skipping ${what}: ${reason}\n`);
  return reason;
}

async function whyUnavailable(): Promise<string | undefined> {
  if (findOnPath('bwrap') === undefined) {
    const reason = await installPackage('bubblewrap');
    if (reason !== undefined) return reason;
  }
  const place = await openTempRoot();
  const probe = await createBwrapSandbox({ workspace: place.path }).probe();
  await place.remove();
  return probe.available ? undefined : probe.reason;
}
