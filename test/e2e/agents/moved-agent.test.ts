import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openWay, WAYS, type Way, type WayRoot } from '../cli/ways.ts';

const open: WayRoot[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.dispose();
});

async function openRoot(way: Way): Promise<WayRoot> {
  const at = await openWay(way, { isShipped: true });
  open.push(at);
  return at;
}

/** An agent with a soul, a memory, a conversation, a fact and a job. */
async function raiseAgent(at: WayRoot): Promise<void> {
  const done = [
    await at.text(['agents', 'spawn', 'Lince', '--role', 'Pilot', '--skill', 'memory']),
    await at.text(['memory', 'add', 'the harbour pilot is called Ines', '--agent', 'lince']),
    await at.text([
      ...['schedule', 'add', '--agent', 'lince', '--every', '1h', '--message', 'look out'],
    ]),
    await at.text([
      ...[
        'knowledge',
        'add',
        'Harbour',
        'opens at',
        'six',
        '--agent',
        'lince',
        '--project',
        'quay',
      ],
    ]),
  ];
  expect(done.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
}

test.each(WAYS)('an agent moves to another machine and knows what it knew: %s', async (way) => {
  const home = await openRoot(way);
  const away = await openRoot(way);
  await raiseAgent(home);
  const file = join(home.root.path, 'lince.claw');

  const exported = await home.document(['agents', 'export', 'lince', '-o', file]);
  const preview = await away.document(['agents', 'import', file, '--preview']);
  const { parcel } = preview as unknown as { parcel: { public_key: string } };
  const trust = ['--trust', parcel.public_key];
  const refused = await away.document(['agents', 'import', file]);
  const imported = await away.document(['agents', 'import', file, ...trust]);
  const again = await away.text(['agents', 'import', file, ...trust]);
  const answer = await away.text([
    ...['ask', 'what do you know about the harbour pilot?', '--agent', 'lince'],
  ]);
  const jobs = await away.document(['schedule', 'list']);
  const facts = await away.text(['knowledge', 'facts', '--as', 'lince']);

  expect(exported).toMatchObject({ agent: 'lince', via: way });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(preview).toMatchObject({
    outcome: 'preview',
    parcel: { trust: 'unknown' },
    creates: { memories: 1, facts: 1, jobs: 1 },
    needs: [{ kind: 'trust', blocking: true }],
  });
  expect(refused).toMatchObject({ exit_code: 1 });
  expect(imported).toMatchObject({ outcome: 'imported', agent: { slug: 'lince' }, needs: [] });
  expect(again.stdout).toBe('agent lince is there already: this file was imported before\n');
  expect(answer.stdout).toContain('the harbour pilot is called Ines');
  expect(jobs).toMatchObject({ jobs: [{ enabled: false, message: 'look out' }] });
  expect(facts.stdout).toContain('six');
  expect(await readFile(join(away.root.path, 'souls', 'lince.md'), 'utf8')).toBe(
    await readFile(join(home.root.path, 'souls', 'lince.md'), 'utf8'),
  );
});

test('previews and refusals leave an empty directory empty, and files stay as they were', async () => {
  const home = await openRoot('local');
  const empty = await openRoot('local');
  await raiseAgent(home);
  const file = join(home.root.path, 'lince.claw');
  await writeFile(file, 'somebody wrote this');

  const kept = await home.text(['agents', 'export', 'lince', '-o', file]);
  const absent = await home.text(['agents', 'export', 'nobody', '-o', `${file}.2`]);
  const nowhere = await home.text(['agents', 'export', 'lince']);
  const before = await readFile(file, 'utf8');
  const replaced = await home.text(['agents', 'export', 'lince', '-o', file, '--force']);
  const preview = await empty.text(['agents', 'import', file, '--preview']);
  const broken = await empty.text(['agents', 'import', `${file}.2`]);

  expect([kept.code, kept.stderr]).toEqual([
    2,
    'error: <root>/lince.claw is there already\nhint: --force replaces it\n',
  ]);
  expect([absent.code, nowhere.code, broken.code]).toEqual([1, 2, 2]);
  expect(nowhere.stderr).toBe('error: say where to write it\nhint: -o FILE.claw\n');
  expect(before).toBe('somebody wrote this');
  expect([replaced.code, preview.code]).toEqual([0, 0]);
  expect(existsSync(join(empty.root.path, '.openclawssy'))).toBe(false);
});
