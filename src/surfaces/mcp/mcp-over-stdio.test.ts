import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { bundleScript } from '../../../test/support/bundle-script.ts';
import { openTempRoot } from '../../../test/support/temp-root.ts';

const SCRIPT = await bundleScript(
  new URL('../../../test/support/mcp-stdio-process.ts', import.meta.url),
);

test.each(['legacy', 'auto'] as const)(
  'serves runs and tools over standard streams (%s)',
  async (mode) => {
    const root = await openTempRoot();
    onTestFinished(() => root.remove());
    await mkdir(join(root.path, 'workspace'));
    await writeFile(join(root.path, 'workspace', 'a.txt'), 'one');
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [SCRIPT, root.path],
    });
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    onTestFinished(() => client.close());

    const read = await client.callTool({ name: 'fs_read', arguments: { path: 'a.txt' } });
    const submitted = await client.callTool({ name: 'run_submit', arguments: { message: 'time' } });
    const { id } = submitted.structuredContent as { id: string };
    const waited = await client.callTool({ name: 'run_wait', arguments: { run_id: id } });
    const updated = new Promise((resolve) => {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
        resolve(params.uri),
      );
    });
    const uri = `run://${id}`;
    if (mode === 'legacy') await client.subscribeResource({ uri });
    else await client.listen({ resourceSubscriptions: [uri] });

    expect(await updated).toBe(uri);
    expect(read.structuredContent).toMatchObject({ path: 'a.txt', content: 'one' });
    expect(waited.structuredContent).toMatchObject({ id, status: 'completed', ended: true });
  },
);
