import { LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { createScriptedModel } from '../../providers/scripted/scripted-model.ts';
import { connect, listen, openTestMcp, until } from './test-mcp-server.ts';

async function openWith(mode: 'legacy' | 'auto') {
  const opened = await openTestMcp(createScriptedModel({ steps: [{ text: 'Hello' }] }));
  const client = await connect(await listen(opened.server), mode);
  const { id } = await opened.runtime.submit('/tool test.wait {}');
  const logged: unknown[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => {
    logged.push([params.level, (params.data as { message: string }).message]);
  });
  const cancel = async () => {
    await until(() => opened.countFollowers() === 1);
    await opened.runtime.runs.cancel({ runId: id, reason: '', actor: 'user' });
  };
  return { ...opened, client, id, logged, cancel };
}

test.each(['legacy', 'auto'] as const)('a long call tells how it goes on (%s)', async (mode) => {
  const { client, id, cancel } = await openWith(mode);
  const progress: { readonly progress: number; readonly message?: string | undefined }[] = [];
  // Not by `onprogress`, which the SDK takes away with the answer, before it has read what came just ahead of it.
  client.setNotificationHandler('notifications/progress', ({ params }) => {
    progress.push(params);
  });

  const waiting = client.callTool({
    name: 'run_wait',
    arguments: { run_id: id },
    _meta: { progressToken: 'token' },
  });
  await cancel();

  expect((await waiting).structuredContent).toMatchObject({ id, status: 'cancelled' });
  await until(() => progress.at(-1)?.message === 'cancelled');
  expect(progress.map(({ message }) => message)).toContain('is asked to stop');
  const numbers = progress.map((news) => news.progress);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});

test.each(['legacy', 'auto'] as const)('a caller gets the log it asked for (%s)', async (mode) => {
  const { client, id, logged, cancel } = await openWith(mode);
  if (mode === 'legacy') await client.setLoggingLevel('info');

  const waiting = client.callTool({
    name: 'run_wait',
    arguments: { run_id: id },
    ...(mode === 'auto' ? { _meta: { [LOG_LEVEL_META_KEY]: 'info' } } : {}),
  });
  await cancel();
  await waiting;

  await until(() => String(logged.at(-1)) === 'info,cancelled');
  expect(logged).toContainEqual(['info', 'is asked to stop']);
});

test('nobody is told what they did not ask for', async () => {
  const { client, id, logged, cancel } = await openWith('legacy');
  await client.setLoggingLevel('error');

  const waiting = client.callTool({ name: 'run_wait', arguments: { run_id: id } });
  await cancel();
  await waiting;

  expect(logged).toEqual([]);
});
