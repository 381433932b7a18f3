import { readdir, readFile } from 'node:fs/promises';

/**
 * Counts a process with its threads and all its descendants, giving up above `limit`. In a pid namespace orphans
 * become children of its first process, so counting from there misses nobody.
 */
export async function countTasks(pid: number, limit: number): Promise<number> {
  const pending = [pid];
  let count = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const tasks = `/proc/${next}/task`;
    const ids = await readdir(tasks).catch(() => []);
    count += ids.length;
    if (count > limit) return count;
    for (const id of ids) {
      const children = await readFile(`${tasks}/${id}/children`, 'utf8').catch(() => '');
      for (const child of children.split(' ')) if (child !== '') pending.push(Number(child));
    }
  }
  return count;
}
