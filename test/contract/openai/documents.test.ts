import { expect, test } from 'vitest';
import {
  createOpenAiSurfaces,
  type OpenAiDeps,
} from '../../../src/surfaces/openai/create-openai-surfaces.ts';
import { CHAT_UNSERVED } from '../../../src/surfaces/openai/decode-chat.ts';
import { RESPONSES_UNSERVED } from '../../../src/surfaces/openai/decode-responses.ts';
import { OPENAI_ERRORS } from '../../../src/surfaces/openai/errors.ts';
import { describeOperations, readContract, readOperations } from '../described-surface.ts';

const PAGE = 'openai.md';
const surfaces = createOpenAiSurfaces({ maxBodyBytes: 0 } as OpenAiDeps);

async function describeAll() {
  return (await Promise.all(surfaces.map(describeOperations))).flat();
}

test('docs/contracts/openai.md lists every operation with its statuses', async () => {
  const operations = await describeAll();

  expect(await readOperations(PAGE)).toEqual(
    operations.map(({ name, statuses }) => `${name}: ${statuses}`).sort(),
  );
});

test('docs/contracts/openai.md lists every error as it is sent', async () => {
  const table = await readContract(PAGE, 'Errors');
  const rows = [...table.matchAll(/^\| `(\w+)` \| (\d+) \| `(\w+)` \| `([\w<>]+)` \|$/gm)];

  expect(rows.map(([, core, status, type, code]) => [core, Number(status), type, code])).toEqual(
    Object.entries(OPENAI_ERRORS).map(([core, row]) => [core, ...row]),
  );
});

test('docs/contracts/openai.md lists every field that is refused', async () => {
  const text = await readContract(PAGE, 'Fields');
  const table = text.slice(text.indexOf('| Chat Completions'));
  const [row = ''] = table.split('\n').slice(2);

  const cells = row.split('|').slice(1, -1);
  const fields = cells.map((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));

  expect(fields).toEqual([Object.keys(CHAT_UNSERVED), Object.keys(RESPONSES_UNSERVED)]);
});

test('every operation says what it does and asks for the token', async () => {
  for (const { name, operation } of await describeAll()) {
    expect(operation.summary ?? '', name).not.toBe('');
    expect(operation.description, name).toMatch(/\.$/);
    expect(operation.security, name).toEqual([{ bearer: [] }, { session: [] }]);
  }
});
