import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RuntimeError } from '../../../core/errors.ts';
import { failureOf, openTestWorkspace, SECRET, type TestWorkspace } from '../../test-workspace.ts';
import { openPinnedDirectory } from './pinned-directory.ts';

let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await openTestWorkspace();
  await workspace.put('dir/secret.txt', 'inside');
  await workspace.link('evil', workspace.outside);
});

afterEach(() => workspace.remove());

/** Another thread that exchanges `dir` and a link to the outside as fast as it can. */
async function withSwapper(action: () => Promise<void>): Promise<void> {
  const source = `
    const { renameSync } = require('node:fs');
    const { workerData: root } = require('node:worker_threads');
    let made = 0;
    const move = (from, to) => {
      try {
        renameSync(root + from, root + to);
      } catch (error) {
        // A writer may rightly have made the directory anew while it was away.
        if (!['EISDIR', 'ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
        made += 1;
        renameSync(root + to, root + '/made-' + made);
        move(from, to);
      }
    };
    const swap = () => {
      for (let round = 0; round < 200; round += 1) {
        move('/dir', '/parked');
        move('/evil', '/dir');
        move('/dir', '/evil');
        move('/parked', '/dir');
      }
      setImmediate(swap);
    };
    swap();
  `;
  const worker = new Worker(source, { eval: true, execArgv: [], workerData: workspace.root });
  const broken: unknown[] = [];
  worker.on('error', (error) => broken.push(error));
  try {
    await action();
    expect(broken).toEqual([]);
  } finally {
    await worker.terminate();
  }
}

const MAX_RACE_MS = 4_000;
const ENOUGH = 50;

/** Repeats until the race was both won and lost often enough to mean something, within a bound. */
async function race(attempt: () => Promise<void>): Promise<{ done: number; denied: number }> {
  const seen = { done: 0, denied: 0 };
  const deadlineMs = Date.now() + MAX_RACE_MS;
  while (Date.now() < deadlineMs) {
    try {
      await attempt();
      seen.done += 1;
    } catch (error) {
      if (!(error instanceof RuntimeError)) throw error;
      if (error.code === 'policy_denied') seen.denied += 1;
      else expect(error.code).toBe('not_found');
    }
    if (seen.done >= ENOUGH && seen.denied >= ENOUGH) break;
  }
  return seen;
}

test('never reads outside while a directory is swapped', async () => {
  const texts = new Set<string>();

  await withSwapper(async () => {
    const seen = await race(async () => {
      const { handle } = await workspace.guard.openForRead('dir/secret.txt');
      texts.add(await handle.readFile('utf8').finally(() => handle.close()));
    });
    expect(Math.min(seen.done, seen.denied)).toBeGreaterThan(0);
  });

  expect([...texts]).toEqual(['inside']);
});

test('never lists outside while a directory is swapped', async () => {
  const names = new Set<string>();

  await withSwapper(async () => {
    await race(async () => {
      const { directory } = await workspace.guard.openDirectory('dir');
      const { entries } = await directory.readEntries(100).finally(() => directory.close());
      for (const { name } of entries) names.add(name);
    });
  });

  expect([...names]).toEqual(['secret.txt']);
});

test('never writes outside while a directory is swapped', async () => {
  const before = await workspace.readOutside();
  const signal = new AbortController().signal;

  await withSwapper(async () => {
    await race(async () => {
      const target = await workspace.guard.openForWrite('dir/secret.txt');
      await target.replace(Buffer.from('written'), { signal }).finally(() => target.close());
    });
    await race(async () => {
      const target = await workspace.guard.openForWrite('dir/new/deep.txt', {
        createParents: true,
      });
      await target.replace(Buffer.from('written'), { signal }).finally(() => target.close());
    });
  });

  expect(await workspace.readOutside()).toEqual(before);
  expect(before[join(workspace.outside, 'secret.txt')]).toBe(SECRET);
});

test('never deletes outside while a directory is swapped', async () => {
  const before = await workspace.readOutside();
  const signal = new AbortController().signal;

  await withSwapper(async () => {
    const files = await race(async () => {
      const { outcome } = await workspace.guard.remove('dir/secret.txt', {
        recursive: false,
        signal,
      });
      if (outcome === 'missing') {
        const target = await workspace.guard.openForWrite('dir/secret.txt');
        await target.replace(Buffer.from('again'), { signal }).finally(() => target.close());
      }
    });
    await race(async () => {
      const target = await workspace.guard.openForWrite('dir/sub/secret.txt', {
        createParents: true,
      });
      await target.replace(Buffer.from('again'), { signal }).finally(() => target.close());
      await workspace.guard.remove('dir/sub', { recursive: true, signal });
    });
    expect(Math.min(files.done, files.denied)).toBeGreaterThan(0);
  });

  expect(await workspace.readOutside()).toEqual(before);
});

test('never moves into or out of the outside while a directory is swapped', async () => {
  const before = await workspace.readOutside();
  const signal = new AbortController().signal;
  const request = { overwrite: true, createParents: false, signal };
  const texts = new Set<string>();

  await withSwapper(async () => {
    const seen = await race(async () => {
      await workspace.put('mine.txt', 'inside');
      await workspace.guard.move({ src: 'mine.txt', dst: 'dir/secret.txt', ...request });
      await workspace.guard.move({ src: 'dir/secret.txt', dst: 'taken.txt', ...request });
      texts.add(await workspace.text('taken.txt'));
    });
    expect(Math.min(seen.done, seen.denied)).toBeGreaterThan(0);
  });

  expect(await workspace.readOutside()).toEqual(before);
  expect([...texts]).toEqual(['inside']);
});

test.each([false, true])('refuses a parent that became a link (portable: %s)', async (portable) => {
  await mkdir(join(workspace.root, 'top/sub'), { recursive: true });
  const checked = join(workspace.root, 'top/sub');
  await rename(join(workspace.root, 'top'), join(workspace.root, 'parked'));
  await symlink(workspace.outside, join(workspace.root, 'top'));

  const failure = await failureOf(openPinnedDirectory(checked, { path: 'top/sub/x', portable }));

  expect(failure).toEqual({
    code: 'policy_denied',
    message: 'path denied: top/sub/x (it changed while it was being opened)',
    details: { path: 'top/sub/x', reason: 'path_changed' },
  });
});

test.each([false, true])(
  'refuses a directory that became a link (portable: %s)',
  async (portable) => {
    const checked = join(workspace.root, 'evil');

    const failure = await failureOf(openPinnedDirectory(checked, { path: 'evil/x', portable }));

    expect(failure.details).toEqual({ path: 'evil/x', reason: 'path_changed' });
  },
);

test('looks names up in the held directory after its path was taken over', async () => {
  const checked = join(workspace.root, 'dir');
  const held = await openPinnedDirectory(checked, { path: 'dir' });
  await rename(checked, join(workspace.root, 'parked'));
  await symlink(workspace.outside, checked);

  const file = await held.openFile('secret.txt', 0);
  const text = await file.readFile('utf8');
  await file.close();
  await held.close();

  expect(text).toBe('inside');
});

test('notices without /proc that the path of a held directory was taken over', async () => {
  const checked = join(workspace.root, 'dir');
  const held = await openPinnedDirectory(checked, { path: 'dir', portable: true });
  await rename(checked, join(workspace.root, 'parked'));
  await symlink(workspace.outside, checked);

  const failure = await failureOf(held.openFile('secret.txt', 0));
  await held.close();

  expect(failure.details).toEqual({ path: 'dir', reason: 'path_changed' });
});

test('refuses a file that became a link between check and open', async () => {
  const held = await openPinnedDirectory(join(workspace.root, 'dir'), { path: 'dir/x' });
  await symlink(join(workspace.outside, 'secret.txt'), join(workspace.root, 'dir/x'));

  const failure = await failureOf(held.openFile('x', 0));
  await held.close();

  expect(failure.details).toEqual({ path: 'dir/x', reason: 'path_changed' });
});

test('does not write through a link that appeared after the check', async () => {
  const before = await workspace.readOutside();
  const signal = new AbortController().signal;
  const target = await workspace.guard.openForWrite('dir/new.txt');
  await symlink(join(workspace.outside, 'secret.txt'), join(workspace.root, 'dir/new.txt'));

  const failure = await failureOf(target.replace(Buffer.from('x'), { signal }));
  await target.close();

  expect(failure.details).toEqual({ path: 'dir/new.txt', reason: 'path_changed' });
  expect(await workspace.readOutside()).toEqual(before);
  expect((await readdir(join(workspace.root, 'dir'))).sort()).toEqual(['new.txt', 'secret.txt']);
});

test('refuses an edit of a version that is no longer there', async () => {
  const signal = new AbortController().signal;
  const target = await workspace.guard.openForWrite('dir/secret.txt');
  await writeFile(join(workspace.root, 'dir/secret.txt'), 'changed by somebody');

  const failure = await failureOf(
    target.replace(Buffer.from('lost update'), { signal, ifUnchanged: target.existing! }),
  );
  await target.close();

  expect(failure).toEqual({
    code: 'conflict',
    message: 'dir/secret.txt was changed by somebody else',
    details: { path: 'dir/secret.txt' },
  });
  expect(await workspace.text('dir/secret.txt')).toBe('changed by somebody');
  expect(await readdir(join(workspace.root, 'dir'))).toEqual(['secret.txt']);
});
