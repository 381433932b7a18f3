import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { toStatePaths } from './state-paths.ts';

const DEFAULT_WORKSPACE = './workspace';

/**
 * The workspace of a state root, for commands that only look around: without the schema, whose library takes longer to
 * load than everything else they do. A config that can't be read says nothing; whoever needs it is told so elsewhere.
 */
export async function findWorkspaceDir(root: string): Promise<string> {
  return readWorkspaceDir(root);
}

export function readWorkspaceDir(root: string): string {
  const { configFile, root: absolute } = toStatePaths(root);
  return resolve(absolute, readWorkspace(configFile) ?? DEFAULT_WORKSPACE);
}

/** At once: the module is loaded by every command, and the other file system of Node takes a moment to load. */
function readWorkspace(configFile: string): string | undefined {
  try {
    const config = JSON.parse(readFileSync(configFile, 'utf8')) as {
      workspace?: { root?: unknown } | null;
    } | null;
    const dir = config?.workspace?.root;
    return typeof dir === 'string' && dir !== '' && !dir.includes('\0') ? dir : undefined;
  } catch {
    return undefined;
  }
}
