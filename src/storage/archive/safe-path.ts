const MAX_PATH_CHARS = 4096;

/** Whether a path, with `/` on every platform, stays below the folder that it is joined to. */
export function isSafePath(path: string): boolean {
  if (path === '' || path.length > MAX_PATH_CHARS || /[\0\\]/.test(path)) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

export function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

const OWN_FOLDERS = ['.openclawssy', '.claw'];

/** Whether a path is of the workspace, which is `''` where that is the state root itself. */
export function isInWorkspace(workspace: string | null, path: string): boolean {
  if (workspace === null || OWN_FOLDERS.some((folder) => isBelow(folder, path))) return false;
  return workspace === '' || isBelow(workspace, path);
}
