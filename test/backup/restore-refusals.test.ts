import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runClaw } from '../support/run-claw.ts';
import { openTempRoot, type TempRoot } from '../support/temp-root.ts';
import { makeArchive, type Planted, type PlantedArchive } from './make-archive.ts';

let temp: TempRoot;

beforeEach(async () => {
  temp = await openTempRoot();
});

afterEach(() => temp.remove());

const inTemp = (name: string) => join(temp.path, name);

async function restore(...more: string[]) {
  const argv = ['restore', inTemp('x.backup'), '--root', inTemp('new'), ...more];
  const { code, stdout } = await runClaw(temp.path, [...argv, '--output-format', 'json']);
  const document = JSON.parse(stdout) as { readonly error?: { readonly message: string } };
  return { code, document, message: document.error?.message ?? '' };
}

/** Whether something was left where the state root would be. */
const listNew = () => readdir(inTemp('new')).catch(() => []);

const token: Planted = { name: '.openclawssy/token', content: 'secret' };
const link = (name: string, linkname: string): Planted => ({ name, type: 'symlink', linkname });

const HOSTILE: readonly (readonly [string, PlantedArchive, RegExp])[] = [
  ['a way up', { entries: [{ name: '.openclawssy/../../out' }] }, /outside the state root/],
  ['a way up at once', { entries: [{ name: '../out' }] }, /outside the state root/],
  ['an absolute path', { entries: [{ name: '/tmp/out' }] }, /outside the state root/],
  ['a backslash', { entries: [{ name: '.openclawssy\\..\\out' }] }, /outside the state root/],
  ['an unannounced place', { entries: [{ name: '.bashrc' }] }, /outside the state root/],
  ['a place that leads up', { header: { places: ['../x'] }, entries: [] }, /header/],
  ['no state root', { header: { places: ['workspace'] }, entries: [] }, /holds no state root/],
  ['a link among our files', { entries: [link('.openclawssy/agents', '/etc')] }, /a link where/],
  [
    'a hard link',
    { entries: [{ ...link('workspace/x', '/etc/passwd'), type: 'link' }] },
    /neither/,
  ],
  ['a device', { entries: [{ name: 'workspace/x', type: 'fifo' }] }, /neither file nor folder/],
  ['a name that comes twice', { entries: [token, token] }, /twice/],
  [
    'more files than it says',
    { header: { max_entries: 0 }, entries: [token] },
    /more than it says/,
  ],
  ['more bytes than it says', { header: { max_bytes: 5 }, entries: [token] }, /more than it says/],
  ['another hash', { entries: [token], manifest: { entries: [[token.name, 6, 'x']] } }, /altered/],
  ['a missing file', { entries: [], manifest: { entries: [[token.name, 6, 'x']] } }, /lacks files/],
  ['an unlisted file', { entries: [token], manifest: { entries: [] } }, /lacks files, or holds/],
  ['no manifest', { entries: [token], hasManifest: false }, /cut short/],
  ['something behind its end', { entries: [token], behind: [token] }, /behind its end/],
  ['a newer format', { header: { format: 2 }, entries: [] }, /newer claw/],
  ['a newer database', { header: { schema_version: 9_999 }, entries: [] }, /version 9999/],
  // Without what files might have grown by while it was made.
  [
    'more than the disk holds',
    { header: { max_bytes: 2 ** 52 + 64 * 1024 ** 2 }, entries: [] },
    /needs 4503599627370496 bytes/,
  ],
];

test.each(HOSTILE)(
  'a backup with %s is refused, and leaves nothing',
  async (_, archive, message) => {
    await makeArchive(inTemp('x.backup'), archive);

    const refused = await restore();

    expect([refused.code, refused.message]).toEqual([1, expect.stringMatching(message)]);
    expect(await listNew()).toEqual([]);
    expect((await readdir(temp.path)).filter((name) => name === 'out')).toEqual([]);
  },
);

test('nothing is written through a link of the workspace', async () => {
  await mkdir(inTemp('victim'));
  const entries = [
    link('workspace/way', inTemp('victim')),
    { name: 'workspace/way/planted', content: 'x' },
  ];
  await makeArchive(inTemp('x.backup'), { entries });

  const refused = await restore();

  expect([refused.code, await readdir(inTemp('victim'))]).toEqual([1, []]);
  expect(await listNew()).toEqual([]);
});

test.each([
  ['before', false],
  ['behind', true],
])('a link inside another is not made through it, listed %s it', async (_, isBehind) => {
  await mkdir(inTemp('victim'));
  const [outer, inner] = [
    link('workspace/way', inTemp('victim')),
    link('workspace/way/planted', '/etc/passwd'),
  ];
  await makeArchive(inTemp('x.backup'), { entries: isBehind ? [outer, inner] : [inner, outer] });

  const refused = await restore();

  expect([refused.code, refused.message]).toEqual([
    1,
    expect.stringContaining('has a link and files in the same place'),
  ]);
  expect(await readdir(inTemp('victim'))).toEqual([]);
  expect(await listNew()).toEqual([]);
});

test('a file that is no backup, or none at all, is said to be so', async () => {
  const absent = await restore();
  await writeFile(inTemp('x.backup'), 'no backup');
  const other = await restore();

  expect([absent.message, other.message]).toEqual([
    `there is no backup at ${inTemp('x.backup')}`,
    `${inTemp('x.backup')} is damaged or cut short`,
  ]);
  expect(await listNew()).toEqual([]);
});

test('a file cut anywhere, and one with any byte changed, is refused', async () => {
  await makeArchive(inTemp('whole'), { entries: [token] });
  const whole = await readFile(inTemp('whole'));
  const cuts = [0, 1, 20, whole.length >> 1, whole.length - 9, whole.length - 1];
  const flips = [...Array(8).keys()].map(
    (part) => 12 + Math.floor(((whole.length - 21) * part) / 8),
  );
  const flipped = (at: number) => whole.map((byte, place) => (place === at ? byte ^ 4 : byte));

  for (const bytes of [...cuts.map((at) => whole.subarray(0, at)), ...flips.map(flipped)]) {
    await writeFile(inTemp('x.backup'), bytes);
    expect([(await restore()).code, await listNew()]).toEqual([1, []]);
  }
});

test('with its hash only that very file is taken', async () => {
  await makeArchive(inTemp('x.backup'), { entries: [token] });

  const refused = await restore('--sha256', 'a'.repeat(64));
  const nonsense = await restore('--sha256', 'abc');

  expect([refused.code, refused.message]).toEqual([1, expect.stringContaining('is another file')]);
  expect([nonsense.code, nonsense.message]).toEqual([1, '--sha256 takes 64 hexadecimal digits']);
  expect(await listNew()).toEqual([]);
});

test('a restore that was decided keeps every other program out until it is finished', async () => {
  await mkdir(inTemp('new/.openclawssy.restore'), { recursive: true });
  await writeFile(inTemp('new/.openclawssy.restore/commit.json'), '{}');

  const { code, stdout } = await runClaw(temp.path, [
    ...['init', '--root', inTemp('new'), '--output-format', 'json'],
  ]);

  expect([code, JSON.parse(stdout)]).toMatchObject([
    1,
    { error: { message: expect.stringContaining('was cut off before its end') } },
  ]);
  expect(await readdir(inTemp('new'))).toEqual(['.openclawssy.restore']);
});

test('a restore that was cut off is finished, also when another file is named by then', async () => {
  const staging = inTemp('new/.openclawssy.restore');
  await mkdir(join(staging, 'new', '.openclawssy'), { recursive: true });
  await writeFile(join(staging, 'new', '.openclawssy', 'token'), 'of the first');
  const decision = {
    file: inTemp('first.backup'),
    places: ['.openclawssy'],
    suffix: '.before',
    report: {},
  };
  await writeFile(join(staging, 'commit.json'), JSON.stringify(decision));

  const other = await restore();

  expect([other.code, other.message]).toEqual([1, expect.stringContaining('is finished now')]);
  expect(await readFile(inTemp('new/.openclawssy/token'), 'utf8')).toBe('of the first');
  expect(await listNew()).toEqual(['.openclawssy']);
});
