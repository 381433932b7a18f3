import { expect, test } from 'vitest';
import { createMemoryTables } from '../../../test/support/memory-tables.ts';
import { createIds } from '../create-ids.ts';
import { RuntimeError } from '../errors.ts';
import { silentLogger } from '../log.ts';
import type { SignInStore } from './sign-in.ts';
import { createSignIns } from './sign-ins.ts';
import { createSignInStore } from './stored-sign-ins.ts';

const VISITOR = { userAgent: 'a browser', address: '127.0.0.1' };
const TOKEN = 'a-token-of-tests';
const HOUR_MS = 3_600_000;

function openNodes(alter: (store: SignInStore) => Partial<SignInStore> = () => ({})) {
  const tables = createMemoryTables();
  const { clock } = tables;
  const store = createSignInStore(tables);
  const openNode = () =>
    createSignIns({
      ...{ clock, token: TOKEN, ids: createIds(clock.nowMs), logger: silentLogger },
      store: { ...store, ...alter(store) },
      lifetime: () => ({ idleMs: HOUR_MS, maxMs: 4 * HOUR_MS }),
    });
  return { clock, here: openNode(), there: openNode() };
}

test('a sign-in that another node ended passes for a second at most', async () => {
  const { clock, here, there } = openNodes();
  const opened = await here.signIn({ token: TOKEN }, VISITOR);
  const [secret, id] = [opened?.secret ?? '', opened?.signIn.id];
  await here.find(secret);

  await there.end(id as never);
  clock.advance(1_000);

  expect(await here.find(secret)).toBeUndefined();
});

test('one that is ended while it is seen to is over', async () => {
  const { clock, here } = openNodes((store) => ({
    touch: async (seen) => {
      await store.end(seen);
      return store.touch(seen);
    },
  }));
  const opened = await here.signIn({ token: TOKEN }, VISITOR);
  clock.advance(60_000);

  const found = await here.find(opened?.secret ?? '');

  expect(found).toBeUndefined();
  expect(await here.find(opened?.secret ?? '')).toBeUndefined();
});

test('one that is ended while it is looked up is not remembered', async () => {
  const { here } = openNodes((store) => ({
    find: async (id) => {
      const found = await store.find(id);
      await here.end(id);
      return found;
    },
  }));
  const opened = await here.signIn({ token: TOKEN }, VISITOR);
  await here.find(opened?.secret ?? '');

  const again = await here.find(opened?.secret ?? '');

  expect(again).toBeUndefined();
});

test('a store that can not write signs nobody out', async () => {
  const { clock, here } = openNodes(() => ({
    touch: async () => {
      throw new RuntimeError('storage_unavailable', 'the disk is full');
    },
  }));
  const opened = await here.signIn({ token: TOKEN }, VISITOR);
  clock.advance(10 * 60_000);

  const found = await here.find(opened?.secret ?? '');

  expect(found?.signIn.id).toBe(opened?.signIn.id);
});

test('a code that led to nothing is good again', async () => {
  let isBroken = true;
  const { here } = openNodes((store) => ({
    add: async (signIn) => {
      if (isBroken) throw new RuntimeError('storage_unavailable', 'the disk is full');
      return store.add(signIn);
    },
  }));
  const { code } = here.mintCode();
  await expect(here.signIn({ code }, VISITOR)).rejects.toThrow('the disk is full');

  isBroken = false;
  const opened = await here.signIn({ code }, VISITOR);

  expect(opened?.csrfToken).toMatch(/^[\w-]{43}$/);
});

test('who waits for the end of a sign-in hears of it once', async () => {
  const { here } = openNodes();
  const opened = await here.signIn({ token: TOKEN }, VISITOR);
  const heard: string[] = [];
  const id = opened?.signIn.id as never;
  here.whenEnded(id, () => heard.push('one'));
  const takeBack = here.whenEnded(id, () => heard.push('two'));
  takeBack();

  await here.end(id);
  await here.end(id);

  expect(heard).toEqual(['one']);
});
