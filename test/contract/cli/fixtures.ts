import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Document } from './steady.ts';

const REPOSITORY = join(import.meta.dirname, '../../..');
export const FIXTURES = join(REPOSITORY, 'tests/fixtures/json');
export const SCHEMA_DOCUMENTS = join(REPOSITORY, 'docs/contracts/cli');

/** `UPDATE_FIXTURES=1` rewrites fixtures and published schemas; `npm run format` then lays them out. */
const isUpdate = process.env['UPDATE_FIXTURES'] === '1';

export async function readFixture(command: string): Promise<Document> {
  return JSON.parse(await readFile(fixtureFile(command), 'utf8'));
}

export function checkFixture(command: string, document: unknown): Promise<void> {
  return checkFile(fixtureFile(command), document);
}

/** Compares values, not layout. */
export async function checkFile(file: string, value: unknown): Promise<void> {
  if (isUpdate) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
  }
  expect(value).toEqual(JSON.parse(await readFile(file, 'utf8')));
}

function fixtureFile(command: string): string {
  return join(FIXTURES, `${command}.json`);
}
