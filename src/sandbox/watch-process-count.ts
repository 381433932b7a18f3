import { countTasks } from './count-tasks.ts';

// A fork bomb makes some thousand processes in this time, which a machine survives; polling faster costs more than that.
const INTERVAL_MS = 100;

/**
 * Calls `onExceeded` once the tree under `findPid()` has more than `maxProcesses` tasks. The kernel's own limit does
 * not hold for root, and servers in containers often are.
 */
export function watchProcessCount(
  findPid: () => number | undefined,
  maxProcesses: number,
  onExceeded: () => void,
): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  function schedule(): void {
    if (!stopped) timer = setTimeout(() => void look(), INTERVAL_MS);
  }
  async function look(): Promise<void> {
    const pid = findPid();
    const count = pid === undefined ? 0 : await countTasks(pid, maxProcesses);
    if (count > maxProcesses && !stopped) onExceeded();
    schedule();
  }
  schedule();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
