import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import { attachFiles } from './attach-files.ts';

let root: TempRoot;
const at = (name: string) => join(root.path, name);

beforeAll(async () => {
  root = await openTempRoot();
  await mkdir(at('folder'));
  await writeFile(at('a.txt'), 'first\nsecond');
  await writeFile(at('code.md'), '```js\n1\n```\n');
  await writeFile(at('picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]));
  await writeFile(at('latin.txt'), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  await writeFile(at('nul.txt'), 'a\0b');
  await writeFile(at('large.txt'), 'x'.repeat(256 * 1024 + 1));
  await writeFile(at('half.txt'), 'x'.repeat(200 * 1024));
});

afterAll(() => root.remove());

test('puts each file behind the message, under its name', async () => {
  const message = await attachFiles('compare', [at('a.txt'), at('code.md')]);

  expect(message).toBe(
    `compare\n\nFile ${at('a.txt')}:\n\`\`\`\nfirst\nsecond\n\`\`\`\n\n` +
      `File ${at('code.md')}:\n\`\`\`\`\n\`\`\`js\n1\n\`\`\`\n\`\`\`\``,
  );
});

test('leaves a message without files as it is', async () => {
  expect(await attachFiles('hello', [])).toBe('hello');
});

test.each([
  [['missing.txt'], 'not_found', /missing\.txt does not exist$/],
  [['a.txt/b'], 'not_found', /does not exist$/],
  [['folder'], 'invalid_input', /folder is not a file$/],
  [['picture.png'], 'invalid_input', /is not a text file in UTF-8$/],
  [['latin.txt'], 'invalid_input', /is not a text file in UTF-8$/],
  [['nul.txt'], 'invalid_input', /is not a text file in UTF-8$/],
  [['large.txt'], 'invalid_input', /has more than 262144 bytes$/],
  [['half.txt', 'half.txt'], 'invalid_input', /have more than 262144 characters together$/],
  [Array.from({ length: 21 }, () => 'a.txt'), 'invalid_input', /more than 20 times$/],
])('refuses %j', async (names, code, message) => {
  await expect(attachFiles('hello', names.map(at))).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
});
