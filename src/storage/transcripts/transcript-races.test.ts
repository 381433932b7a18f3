import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundleScript } from '../../../test/support/bundle-script.ts';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import { systemClock } from '../../core/clock.ts';
import type { Transcript, TranscriptStore } from '../../core/transcripts/transcript-store.ts';
import { createTranscriptFiles } from './create-transcript-files.ts';

const SCRIPT = await bundleScript(new URL('test-transcript-process.ts', import.meta.url));
const DEADLINE_MS = 90_000;

let root: TempRoot;
let store: TranscriptStore;
const children = new Set<Other>();

beforeEach(async () => {
  root = await openTempRoot();
  store = await createTranscriptFiles({
    root: root.path,
    directory: root.path,
    clock: systemClock,
  });
});

afterEach(async () => {
  for (const other of children) other.child.kill('SIGKILL');
  await Promise.all([...children].map(({ ended }) => ended));
  children.clear();
  await root.remove();
});

interface Other {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  /** The lines it has said so far. */
  said(): string[];
  saw(count: number): Promise<void>;
}

function start(...args: readonly string[]): Other {
  const [task = '', ...rest] = args;
  const child = spawn(process.execPath, [SCRIPT, task, root.path, ...rest], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  child.stdin.on('error', () => {});
  const ended = once(child, 'close').then(([code]): number | null => code);
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  const said = () => text.split('\n').slice(0, -1);
  const other = {
    child,
    ended,
    said,
    async saw(count: number) {
      while (said().length < count && !hasEnded) await systemClock.sleep(2);
      if (said().length < count) throw new Error(`ended early: ${text}`);
    },
  };
  children.add(other);
  return other;
}

/** All at once, as near as processes can be. */
async function go(others: readonly Other[]): Promise<void> {
  await Promise.all(others.map((other) => other.saw(1)));
  for (const { child } of others) child.stdin?.end('go\n');
}

function textsOf({ messages }: Transcript): string[] {
  return messages.map(({ blocks: [block] }) => (block?.type === 'text' ? block.text : ''));
}

test(
  'of a line that does not fit on the disk nothing stays',
  async () => {
    const text = 'x'.repeat(400_000);
    const before = await store.create({
      id: 's1',
      messages: [{ role: 'user', blocks: [{ type: 'text', text }] }],
    });
    const path = join(root.path, 's1.jsonl');

    // A limit of 512 KiB per file: half of the line can be written.
    const child = spawn(
      'bash',
      ['-c', 'ulimit -f 512 && exec "$@"', 'bash', process.execPath, SCRIPT].concat([
        'once',
        root.path,
        'a',
        '0',
        '200000',
      ]),
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [said] = await once(child.stdout.setEncoding('utf8'), 'data');
    await once(child, 'close');

    expect(said).toBe(`write ${path}: file too large (EFBIG)\n`);
    expect(await store.load('s1')).toEqual(before);
  },
  DEADLINE_MS,
);

test(
  'the lock is held by one process at a time',
  async () => {
    await writeFile(join(root.path, 'counter'), '0');
    const others = [1, 2, 3, 4].map(() => start('count', '', '40'));

    await go(others);
    const codes = await Promise.all(others.map(({ ended }) => ended));

    expect(codes).toEqual([0, 0, 0, 0]);
    expect(await readFile(join(root.path, 'counter'), 'utf8')).toBe('160');
    expect(await readdir(join(root.path, '.locks'))).toEqual([]);
  },
  DEADLINE_MS,
);

test(
  'two processes that append and rotate lose nothing, and whoever reads meanwhile sees a whole file',
  async () => {
    await store.create({ id: 's1', messages: [] });
    const labels = ['a', 'b'];
    const others = labels.map((label) => start('write', label, '50', '8000'));
    let isDone = false;
    const seen: number[] = [];

    await go(others);
    const all = Promise.all(others.map(({ ended }) => ended)).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      const { messages, hasTornTail } = await store.load('s1');
      if (hasTornTail) throw new Error('a half-written line was shown');
      seen.push(messages.length);
    }
    const codes = await all;
    const texts = textsOf(await store.load('s1')).map((text) => text.trimEnd().split(' x')[0]);

    expect(codes).toEqual([0, 0]);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    for (const label of labels) {
      expect(texts.filter((text) => text?.startsWith(label))).toEqual(
        Array.from({ length: 50 }, (_, index) => `${label} ${index}`),
      );
    }
    const names = await readdir(root.path);
    expect(names.filter((name) => /^s1\.rot-\d+\.jsonl$/.test(name))).toHaveLength(3);
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect((await store.list(10)).transcripts.map(({ id }) => id)).toEqual(['s1']);
  },
  DEADLINE_MS,
);

test(
  'of eight that delete the same transcript exactly one does',
  async () => {
    await store.create({ id: 's1', messages: [] });
    const others = Array.from({ length: 8 }, () => start('delete'));

    await go(others);
    await Promise.all(others.map(({ ended }) => ended));

    const answers = others.map((other) => other.said()[1]).sort();
    expect(answers).toEqual([...Array(7).fill('false'), 'true']);
    expect(await readdir(root.path)).toEqual(['.locks']);
  },
  DEADLINE_MS,
);

test(
  'killed at any moment, a writer leaves a transcript that holds all it had confirmed',
  async () => {
    await store.create({ id: 's1', messages: [] });
    const confirmed: string[] = [];

    for (const round of [0, 1, 2, 3, 4, 5]) {
      const other = start('spin', `r${round}`, '0', '3000');
      await other.saw(3 + round * 7);
      await systemClock.sleep(Math.random() * 20);
      other.child.kill('SIGKILL');
      await other.ended;
      confirmed.push(...other.said().map((index) => `r${round} ${index}`));

      const texts = textsOf(await store.load('s1')).map((text) => text.split(' x')[0] ?? '');
      expect(texts).toEqual(expect.arrayContaining(confirmed));
      expect(new Set(texts).size).toBe(texts.length);
      // Two messages given together are both there or neither.
      const has = (text: string) => texts.includes(text);
      for (const text of texts.filter((each) => each.endsWith('.25'))) {
        expect(has(text.replace('.25', '.5'))).toBe(true);
      }
    }
    // What the killed ones left is in nobody's way.
    const after = await store.append('s1', [{ role: 'user', blocks: [] }]);
    expect(after.hasTornTail).toBe(false);
    expect(await readdir(join(root.path, '.locks'))).toEqual([]);
  },
  DEADLINE_MS,
);
