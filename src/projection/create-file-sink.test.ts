import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTempRoot } from '../../test/support/temp-root.ts';
import type { ProjectionDocument } from '../core/projection/projection.ts';
import { createFileSink } from './create-file-sink.ts';

async function openSink() {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  return { directory: join(root.path, 'projection'), root: root.path };
}

function runDocument(id: string, latestSeq = 1): ProjectionDocument {
  return {
    id: `runtime/run_summary:${id}`,
    projection: 'run_summary',
    summary: { document_id: `runtime/run_summary:${id}`, latest_seq: latestSeq },
  };
}

test('keeps one file for each document, the newest whole, for this account alone', async () => {
  const { directory } = await openSink();
  const sink = createFileSink(directory);
  await sink.write(runDocument('run_1'));

  await sink.write(runDocument('run_1', 7));

  const file = join(directory, 'run_summary', 'run_1.json');
  expect(await readdir(join(directory, 'run_summary'))).toEqual(['run_1.json']);
  expect(await readFile(file, 'utf8')).toBe(
    '{\n  "document_id": "runtime/run_summary:run_1",\n  "latest_seq": 7\n}\n',
  );
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
});

test('gives ids that no file can be called by a file of their own, inside the folder', async () => {
  const { directory, root } = await openSink();
  const sink = createFileSink(directory);
  const ids = ['codexw:a/../../b', 'codexw:a_______b', 'Run_1', 'run_1', '..', 'x'.repeat(160)];

  for (const id of ids) await sink.write(runDocument(id));

  const files = await readdir(join(directory, 'run_summary'));
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(ids.length);
  expect(await readdir(root)).toEqual(['projection']);
});

test('no id takes the file of another by looking like its name', async () => {
  const { directory } = await openSink();
  const sink = createFileSink(directory);
  await sink.write(runDocument('codexw:a'));
  const [name = ''] = await readdir(join(directory, 'run_summary'));

  await sink.write(runDocument(name.replace(/\.json$/, '')));

  expect(await readdir(join(directory, 'run_summary'))).toHaveLength(2);
});

test('a reader never sees half a document', async () => {
  const { directory } = await openSink();
  const sink = createFileSink(directory);
  await sink.write(runDocument('run_1', 0));
  const file = join(directory, 'run_summary', 'run_1.json');
  const writing = (async () => {
    for (let seq = 1; seq <= 30; seq += 1) await sink.write(runDocument('run_1', seq));
  })();

  const seen: number[] = [];
  while (seen.at(-1) !== 30) seen.push(JSON.parse(await readFile(file, 'utf8')).latest_seq);
  await writing;

  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test('says which file can not be written', async () => {
  const { directory } = await openSink();
  await writeFile(directory, 'in the way');

  const writing = createFileSink(directory).write(runDocument('run_1'));

  const file = join(directory, 'run_summary', 'run_1.json');
  await expect(writing).rejects.toMatchObject({
    code: 'storage_unavailable',
    message: `${file} can not be written (ENOTDIR)`,
  });
});
