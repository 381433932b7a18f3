import { createFile } from '../../platform/create-file.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { toStorageFault } from './storage-fault.ts';

/** Replaces a file of the state root in one step, for its owner alone. */
export async function replaceStateFile(path: string, content: string): Promise<void> {
  try {
    await replaceFile(path, content);
  } catch (cause) {
    throw toStorageFault('write', path, cause);
  }
}

/** Creates a file of the state root in one step. False: it is there already, complete. */
export async function createStateFile(path: string, content: string): Promise<boolean> {
  try {
    return await createFile(path, content);
  } catch (cause) {
    throw toStorageFault('create', path, cause);
  }
}
