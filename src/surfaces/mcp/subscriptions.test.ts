import type { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { createScriptedModel } from '../../providers/scripted/scripted-model.ts';
import { connect, listen, openTestMcp, until } from './test-mcp-server.ts';

const hello = () => createScriptedModel({ steps: [{ text: 'Hello' }] });

/** A run that ends when it is cancelled. */
const WAITING = '/tool test.wait {}';

async function openWith(mode: 'legacy' | 'auto') {
  const opened = await openTestMcp(hello());
  const url = await listen(opened.server);
  return { ...opened, url, client: await connect(url, mode) };
}

/** The URIs that a client was told of. */
function collectUpdates(client: Client): string[] {
  const updates: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updates.push(params.uri);
  });
  return updates;
}

const follow = {
  legacy: async (client: Client, uri: string) => {
    await client.subscribeResource({ uri });
    return () => client.unsubscribeResource({ uri });
  },
  auto: async (client: Client, uri: string) => {
    const subscription = await client.listen({ resourceSubscriptions: [uri] });
    return () => subscription.close();
  },
};

test.each(['legacy', 'auto'] as const)('tells when a run moves on (%s)', async (mode) => {
  const { runtime, client, countFollowers } = await openWith(mode);
  const updates = collectUpdates(client);
  const { id } = await runtime.submit(WAITING);
  const other = await runtime.submit(WAITING);

  await follow[mode](client, `run://${id}`);
  await until(() => countFollowers() === 1);
  for (const runId of [other.id, id]) {
    await runtime.runs.cancel({ runId, reason: '', actor: 'user' });
    await runtime.awaitEnd(runId);
  }

  await until(() => updates.length > 0 && countFollowers() === 0);
  expect(new Set(updates)).toEqual(new Set([`run://${id}`]));
});

test.each(['legacy', 'auto'] as const)(
  'a run that has ended is told of once (%s)',
  async (mode) => {
    const { runtime, client, countFollowers } = await openWith(mode);
    const updates = collectUpdates(client);
    const { id } = await runtime.ask('hi');

    await follow[mode](client, `run://${id}`);

    await until(() => updates.length > 0);
    expect([updates, countFollowers()]).toEqual([[`run://${id}`], 0]);
  },
);

test.each(['legacy', 'auto'] as const)('who leaves is followed no longer (%s)', async (mode) => {
  const { runtime, url, client, countFollowers } = await openWith(mode);
  const { id } = await runtime.submit(WAITING);
  const leaver = await connect(url, mode);
  const unfollow = await follow[mode](client, `run://${id}`);
  await until(() => countFollowers() === 1);
  await follow[mode](leaver, `run://${id}`);
  // A stream of the 2026 protocol shares what is followed for another.
  await until(() => countFollowers() === (mode === 'legacy' ? 2 : 1));

  await leaver.close();
  await until(() => countFollowers() === 1);
  await unfollow();

  await until(() => countFollowers() === 0);
});

test.each(['legacy', 'auto'] as const)('refuses what is no run (%s)', async (mode) => {
  const { client, countFollowers } = await openWith(mode);

  await expect(follow[mode](client, 'run://run_none')).rejects.toThrow(
    'run run_none does not exist',
  );
  await expect(follow[mode](client, 'file:///etc/passwd')).rejects.toThrow(
    'resources are runs: run://<run id>',
  );
  expect(countFollowers()).toBe(0);
});

test('one client may follow so many runs and no more', async () => {
  const { runtime, url, client, countFollowers } = await openWith('legacy');
  const uris: string[] = [];
  for (let count = 0; count < 65; count += 1) {
    uris.push(`run://${(await runtime.submit(WAITING)).id}`);
  }
  for (const uri of uris.slice(0, 64)) await client.subscribeResource({ uri });
  const last = uris[64] ?? '';
  const message = 'no more than 64 runs can be followed at once';

  await expect(client.subscribeResource({ uri: last })).rejects.toThrow(message);
  const modern = await connect(url, 'auto');
  await expect(modern.listen({ resourceSubscriptions: uris })).rejects.toThrow(message);

  await until(() => countFollowers() === 64);
  await client.unsubscribeResource({ uri: uris[0] ?? '' });
  await client.subscribeResource({ uri: last });
});
