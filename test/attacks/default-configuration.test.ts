import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { type Battlefield, expectAudited, expectDenied, openBattlefield } from './attack.ts';
import { openTrapServer } from './trap-server.ts';

const open: Battlefield[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((field) => field.remove()));
});

async function openField(config: object): Promise<Battlefield> {
  const field = await openBattlefield(config);
  open.push(field);
  return field;
}

async function codeOf(field: Battlefield, command: string): Promise<unknown> {
  const { events } = await field.attack({ tool: 'shell.exec', input: { command } });
  const result = events.find(({ type }) => type === 'tool.result');
  return (result?.payload['error'] as JsonObject | undefined)?.['code'];
}

test('there is no shell without a sandbox', async () => {
  const field = await openField({});

  expect(await codeOf(field, 'ls')).toBe('sandbox.required');
  expect(await codeOf(field, 'rm -rf .')).toBe('sandbox.required');
});

test('a sandbox that is active does not switch the shell on', async () => {
  const field = await openField({ sandbox: { active: true, provider: 'bwrap' } });

  expect(await codeOf(field, 'ls')).toBe('policy.denied');
});

test('a sandbox that can not start is unavailable, and nothing runs without it', async () => {
  const field = await openField({
    shell: { enable_exec: true, allowed_commands: ['*'] },
    // Never pulled: with an engine the image is missing, without one the engine is.
    sandbox: { active: true, provider: 'docker', docker_image: 'pincer.invalid/none:0' },
  });

  expect(await codeOf(field, 'echo hi > made.txt')).toBe('sandbox.unavailable');
  const listed = await field.attack({ tool: 'fs.list', input: { path: '.' } });
  expect(JSON.stringify(listed.events)).not.toContain('made.txt');
});

test('there is no network', async () => {
  const trap = await openTrapServer();
  const field = await openField({});
  const url = `http://127.0.0.1:${trap.port}/`;

  const denied = [
    await field.attack({ tool: 'http.request', input: { url } }),
    await field.attack({ tool: 'http.request', input: { url, method: 'POST', body: 'x' } }),
    await field.attack({ tool: 'net.fetch', input: { url: 'https://example.com/' } }),
  ];
  const audit = await field.close();
  await trap.close();

  for (const one of denied) {
    expect(expectDenied(one, 'http.request')['reason']).toBe('network_disabled');
    expectAudited(one, audit);
  }
  expect(trap.connections()).toBe(0);
});

test('a tool that is not granted is denied, whatever it would do', async () => {
  const field = await openField({ tools: { granted: ['fs.read'] } });

  const denied = [
    await field.attack({ tool: 'fs.write', input: { path: 'a.txt', content: '' } }),
    await field.attack({ tool: 'FS.WRITE', input: { path: 'a.txt', content: '' } }),
    await field.attack({ tool: 'fs.rename', input: { src: 'a.txt', dst: 'b.txt' } }),
  ];
  const audit = await field.close();

  for (const [index, one] of denied.entries()) {
    const details = expectDenied(one, ['fs.write', 'fs.write', 'fs.move'][index] ?? '');
    expect(details['reason']).toBe('capability_missing');
    expectAudited(one, audit);
  }
});
