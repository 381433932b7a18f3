import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawRoot, openClawRoot } from '../cli/claw.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

const SKILL_MD =
  '---\nname: release-notes\ndescription: Writes notes for a release\n---\n# Notes\n\nName the version first.\n';

async function readBundle(name: string): Promise<string> {
  const entries = await readdir(root.path, { recursive: true });
  const found = entries.filter((path) => path.endsWith(`/${name}`));
  expect(found).toHaveLength(1);
  return readFile(join(root.path, found[0] ?? ''), 'utf8');
}

test('an agent is told of a released skill and reads it in its run', async () => {
  await mkdir(join(root.path, 'notes'));
  await writeFile(join(root.path, 'notes/SKILL.md'), SKILL_MD);
  await root.claw(['skills', 'publish', 'notes']);
  const script = await root.script([
    { toolCalls: [{ tool: 'skill.read', input: { name: 'release-notes' } }] },
    { text: 'Done.' },
  ]);

  const asked = await root.claw(['ask', 'write the notes'], script);

  expect([asked.code, asked.stdout]).toEqual([0, 'Done.\n']);
  expect(await readBundle('prompt.md')).toContain('- release-notes: Writes notes for a release');
  const [call] = (await readBundle('toolcalls.jsonl')).trim().split('\n');
  expect(call).toContain('Name the version first.');
});

test('an agent is told of no skill, and can read none, when skills are turned off', async () => {
  await mkdir(join(root.path, 'notes'));
  await writeFile(join(root.path, 'notes/SKILL.md'), SKILL_MD);
  await root.claw(['skills', 'publish', 'notes']);
  await root.claw(['config', 'set', 'skills.enabled', 'false']);
  const script = await root.script([
    { toolCalls: [{ tool: 'skill.read', input: { name: 'release-notes' } }] },
    { text: 'Done.' },
  ]);

  const asked = await root.claw(['ask', 'write the notes'], script);

  expect([asked.code, asked.stdout]).toEqual([0, 'Done.\n']);
  expect(await readBundle('prompt.md')).not.toContain('release-notes');
  expect(await readBundle('toolcalls.jsonl')).not.toContain('Name the version first.');
});
