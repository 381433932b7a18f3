import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTempRoot } from '../../../test/support/temp-root.ts';
import { systemClock } from '../../core/clock.ts';
import { silentLogger } from '../../core/log.ts';
import { openSecretFile } from '../../storage/files/secrets/test-secret-file.ts';
import { tryFileLock } from '../../storage/sqlite/file-lock.ts';
import { callTool } from '../test-workspace.ts';
import { createSecretsList } from './secrets-list.ts';

test('gives names in order and nothing else', async () => {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const secrets = await openSecretFile({
    file: join(root.path, 'secrets.enc'),
    masterKeyFile: join(root.path, 'master.key'),
    tryLock: () => tryFileLock(join(root.path, 'lock')),
    clock: systemClock,
    logger: silentLogger,
  });
  const tool = createSecretsList(secrets, () => []);

  const before = await callTool(tool, {});
  await secrets.put('github/token', 'one');
  await secrets.put('discord/bot_token', 'two');
  const after = await callTool(tool, {});

  expect(before).toEqual({ keys: [] });
  expect(after).toEqual({ keys: ['discord/bot_token', 'github/token'] });
  expect(tool.effect).toBe('read');
});
