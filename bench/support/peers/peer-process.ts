import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  createEngineFolder,
  startGuarded,
  waitUntilReady,
} from '../../../test/support/guarded-process.ts';

export interface PeerProcess {
  stop(): Promise<void>;
}

export interface PeerCommand {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Throws until the program can be used. */
  readonly probe: () => Promise<void>;
}

/**
 * A program of others, in a folder of its own that shows it the packages of `peersDir`. It ends with this process,
 * also when that is killed.
 */
export async function openPeerProcess(
  peersDir: string,
  { command, env = {}, probe }: PeerCommand,
): Promise<PeerProcess> {
  const folder = createEngineFolder('pincer-peer-');
  symlinkSync(join(peersDir, 'node_modules'), join(folder.path, 'node_modules'));
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const started = await startGuarded(['/usr/bin/env', ...variables, ...command], folder);
  try {
    await waitUntilReady(started, folder, probe);
  } catch (error) {
    await started.stop();
    throw error;
  }
  return { stop: () => started.stop() };
}
