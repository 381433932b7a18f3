import { expect, test } from 'vitest';
import { createClosingList, openInOrder } from './closing-list.ts';

function createLog() {
  const said: string[] = [];
  return {
    said,
    close: (name: string) => async (graceMs: number) => {
      said.push(`${name} begins`);
      await Promise.resolve();
      said.push(`${name} ends, ${graceMs} ms`);
    },
  };
}

test('closes in the reverse order, one after the other, and a group at the same time', async () => {
  const { said, close } = createLog();
  const list = createClosingList();
  list.add(close('storage'));
  const group = list.addGroup();
  group.add(close('runner'));
  list.add(close('http'));
  group.add(close('scheduler'));

  await list.close(20);

  expect(said).toEqual([
    'http begins',
    'http ends, 20 ms',
    'runner begins',
    'scheduler begins',
    'runner ends, 20 ms',
    'scheduler ends, 20 ms',
    'storage begins',
    'storage ends, 20 ms',
  ]);
});

test('goes on behind what fails, and throws the first failure at the end', async () => {
  const { said, close } = createLog();
  const list = createClosingList();
  list.add(close('storage'));
  list.add(() => {
    throw new Error('second');
  });
  list.add(() => Promise.reject(new Error('first')));

  await expect(list.close(0)).rejects.toMatchObject({ cause: { message: 'first' } });

  expect(said).toEqual(['storage begins', 'storage ends, 0 ms']);
});

test('closes once, however often it is asked, and takes nothing more from then on', async () => {
  const { said, close } = createLog();
  const list = createClosingList();
  const group = list.addGroup();
  list.add(close('storage'));

  await Promise.all([list.close(1), list.close(2)]);

  expect(said).toEqual(['storage begins', 'storage ends, 1 ms']);
  expect(() => list.add(() => {})).toThrow('something was opened while all was closed');
  expect(() => group.add(() => {})).toThrow('something was opened while all was closed');
});

test('what was opened before a step that fails is closed at once, and the failure is what is heard of', async () => {
  const { said, close } = createLog();

  const opening = openInOrder(async (closing) => {
    closing.add(close('storage'));
    closing.add(() => Promise.reject(new Error('could not be closed')));
    throw new Error('port taken');
  });

  await expect(opening).rejects.toThrow('port taken');
  expect(said).toEqual(['storage begins', 'storage ends, 0 ms']);
});

test('what was opened as a whole stays open', async () => {
  const { said, close } = createLog();

  const list = await openInOrder(async (closing) => {
    closing.add(close('storage'));
    return closing;
  });

  expect(said).toEqual([]);
  await list.close(5);
  expect(said).toEqual(['storage begins', 'storage ends, 5 ms']);
});
