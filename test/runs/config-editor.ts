import { createConfigEditor } from '../../src/config/edit-config.ts';
import { createLiveConfig } from '../../src/config/live-config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { ConfigEditor } from '../../src/core/config-editor.ts';
import { silentLogger } from '../../src/core/log.ts';
import { tryFileLock } from '../../src/storage/sqlite/file-lock.ts';

/** Changes the configuration as a server would; for processes of their own. */
export async function openConfigEditor(root: string): Promise<ConfigEditor> {
  const sources = { root, env: {} };
  const live = createLiveConfig(await loadConfig(sources));
  const tryLock = () => tryFileLock(live.current().paths.configLockFile);
  return createConfigEditor({ sources, live, tryLock, clock: systemClock, logger: silentLogger });
}
