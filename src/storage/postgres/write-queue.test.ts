import { expect, test, vi } from 'vitest';
import { createWriteQueue, type Settled } from './write-queue.ts';

interface Write {
  readonly name: string;
  readonly orderKeys: readonly string[];
  readonly bytes: number;
  readonly lane?: string;
}

const LIMITS = {
  maxInFlight: 2,
  maxBatchWrites: 3,
  maxBatchBytes: 1_000,
  maxQueuedWrites: 5,
  maxQueuedBytes: 10_000,
};

/** A queue whose commits the test ends by hand, in the order it likes. */
function createRig(limits: Partial<typeof LIMITS> = {}) {
  const batches: { readonly names: string[]; finish(settled?: Settled[]): void }[] = [];
  const queue = createWriteQueue<Write>({
    ...LIMITS,
    ...limits,
    commit: (writes) =>
      new Promise((resolve) => {
        const names = writes.map(({ name }) => name);
        const done = names.map((value): Settled => ({ ok: true, value }));
        batches.push({ names, finish: (settled = done) => resolve(settled) });
      }),
  });
  const submit = (name: string, orderKeys: readonly string[] = [], bytes = 1) =>
    queue.submit({ name, orderKeys, bytes });
  return { queue, submit, batches, names: () => batches.map((batch) => batch.names) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('commits what was submitted together as one batch and answers each after it', async () => {
  const { submit, batches, names } = createRig();
  const answers = Promise.all([submit('a'), submit('b'), submit('c')]);
  await turn();

  batches[0]?.finish();

  expect(await answers).toEqual(['a', 'b', 'c']);
  expect(names()).toEqual([['a', 'b', 'c']]);
});

test('bounds batches by count and size, and lets one oversized write through', async () => {
  const { submit, names } = createRig({ maxInFlight: 4, maxQueuedWrites: 10 });

  for (const name of ['a', 'b', 'c', 'd']) void submit(name);
  void submit('huge', [], 5_000);
  void submit('e', [], 600);
  void submit('f', [], 600);
  await turn();

  expect(names()).toEqual([['a', 'b', 'c'], ['d', 'e'], ['huge'], ['f']]);
});

test('keeps writes that share a key in order while others overtake them', async () => {
  const { submit, batches, names } = createRig({ maxBatchWrites: 1 });
  void submit('a1', ['a']);
  void submit('a2', ['a']);
  void submit('ab', ['a', 'b']);
  void submit('b2', ['b']);
  void submit('c1', ['c']);
  await turn();
  expect(names()).toEqual([['a1'], ['c1']]);

  for (let index = 0; index < 5; index += 1) {
    batches[index]?.finish();
    await turn();
    await turn();
  }

  expect(names()).toEqual([['a1'], ['c1'], ['a2'], ['ab'], ['b2']]);
});

test('fails only the write whose answer is a fault', async () => {
  const { submit, batches } = createRig();
  const answers = Promise.allSettled([submit('a'), submit('b')]);
  await turn();

  const fault = new Error('refused');
  batches[0]?.finish([
    { ok: false, error: fault },
    { ok: true, value: 'b' },
  ]);

  expect(await answers).toEqual([
    { status: 'rejected', reason: fault },
    { status: 'fulfilled', value: 'b' },
  ]);
});

test('refuses writes beyond its bounds and takes more once there is room', async () => {
  const { submit, batches } = createRig({ maxInFlight: 1, maxQueuedBytes: 100 });
  const taken = [submit('large', [], 100)];
  await turn();

  const refused = submit('more');

  await expect(refused).rejects.toMatchObject({ code: 'storage_unavailable' });
  batches[0]?.finish();
  await Promise.all(taken);
  const next = submit('next');
  await turn();
  batches[1]?.finish();
  expect(await next).toBe('next');
});

test('waits for the writes it took when it closes, and refuses others', async () => {
  const { queue, submit, batches } = createRig({ maxBatchWrites: 1, maxInFlight: 1 });
  const answers = Promise.all([submit('a'), submit('b')]);
  await turn();

  let isClosed = false;
  const closing = queue.close().then(() => {
    isClosed = true;
  });

  await expect(submit('late')).rejects.toMatchObject({ code: 'storage_unavailable' });
  batches[0]?.finish();
  await turn();
  await turn();
  expect(isClosed).toBe(false);
  batches[1]?.finish();
  await closing;
  expect(await answers).toEqual(['a', 'b']);
});

test('writes of another lane wait for a batch of their own, and keep their order', async () => {
  const { queue, batches } = createRig();
  const write = (name: string, lane: string, key: string) =>
    queue.submit({ name, lane, orderKeys: [key], bytes: 1 });

  const done = [write('a', 'quick', 'x'), write('b', 'slow', 'y'), write('c', 'quick', 'y')];
  await vi.waitUntil(() => batches.length === 2);

  expect(batches.map(({ names }) => names)).toEqual([['a'], ['b']]);
  for (const batch of batches) batch.finish();
  await vi.waitUntil(() => batches.length === 3);
  expect(batches[2]?.names).toEqual(['c']);
  batches[2]?.finish();
  await Promise.all(done);
});
