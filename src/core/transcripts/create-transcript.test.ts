import { expect, test } from 'vitest';
import { RuntimeError } from '../errors.ts';
import { createTranscript } from './create-transcript.ts';
import type { NewTranscript, Transcript } from './transcript-store.ts';

/** A folder where ids are taken; each call asks for the next one. */
function createFolder(taken: (id: string) => boolean) {
  let next = 0;
  return {
    newId: () => `session-${++next}-0`,
    async create({ id }: NewTranscript): Promise<Transcript> {
      if (taken(id)) throw new RuntimeError('conflict', `session '${id}' already exists`);
      return { id } as Transcript;
    },
  };
}

test('takes the next id when another process had the first', async () => {
  const folder = createFolder((id) => id === 'session-1-0');

  expect(await createTranscript(folder, { messages: [] })).toEqual({ id: 'session-2-0' });
});

test('gives up after a number of tries', async () => {
  const folder = createFolder(() => true);

  await expect(createTranscript(folder, { messages: [] })).rejects.toMatchObject({
    code: 'conflict',
    message: "session 'session-16-0' already exists",
  });
});
