import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { openClawRoot } from './claw.ts';

test.each(['legacy', 'auto'] as const)(
  'a client over HTTP follows a run, and its stream does not hold up the end of the server (%s)',
  async (mode) => {
    const root = await openClawRoot();
    onTestFinished(() => root.dispose());
    const server = await root.serve();
    const token = (await readFile(join(root.path, '.openclawssy/token'), 'utf8')).trim();
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    onTestFinished(() => client.close());
    const updates = new Set<string>();
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updates.add(params.uri);
    });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    );

    const { prompts } = await client.listPrompts();
    const submitted = await client.callTool({ name: 'run_submit', arguments: { message: 'time' } });
    const uri = `run://${(submitted.structuredContent as { id: string }).id}`;
    if (mode === 'legacy') await client.subscribeResource({ uri });
    else await client.listen({ resourceSubscriptions: [uri] });
    await expect.poll(() => [...updates], { timeout: 15_000 }).toContain(uri);
    server.child.kill('SIGTERM');
    const ended = await server.ended;

    expect(prompts.map(({ name }) => name)).toContain('agent_agent_default');
    expect(ended.code).toBe(0);
    expect(ended.stderr).not.toContain('not everything could be closed');
  },
);
