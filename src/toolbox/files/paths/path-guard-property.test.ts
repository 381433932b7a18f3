import { realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RuntimeError } from '../../../core/errors.ts';
import { openTestWorkspace, SECRET, type TestWorkspace } from '../../test-workspace.ts';

let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await openTestWorkspace();
  await workspace.put('a/b/file.txt', 'inside');
  await workspace.link('in', 'a/b');
  await workspace.link('a/up', '..');
  await workspace.link('a/b/out', '../../../outside');
  await workspace.link('out', workspace.outside);
  await workspace.link('a/vault', '../vault');
});

afterAll(() => workspace.remove());

const segment = fc.oneof(
  fc.constantFrom('a', 'b', 'in', 'up', 'out', '..', '.', '', 'file.txt', 'secret.txt', 'sub'),
  fc.constantFrom(
    'vault',
    'key.txt',
    '.openclawssy',
    '.Claw',
    'config.json',
    'workspace',
    'outside',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const paths = fc
  .tuple(fc.constantFrom('', '/', '{root}/', '{outside}/'), fc.array(segment, { maxLength: 8 }))
  .map(([start, segments]) => start + segments.join('/'));

const unlessRefused = async <Value>(call: Promise<Value>): Promise<Value | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof RuntimeError) return undefined;
    throw error;
  }
};

/** The real path of the deepest part of `path` that exists. */
async function realAncestor(path: string): Promise<string> {
  return realpath(path).catch(() => realAncestor(dirname(path)));
}

test('lets nothing through that is not inside the workspace, whatever the path', async () => {
  const { root, outside, guard } = workspace;
  const isInside = (path: string) => path === root || path.startsWith(root + sep);
  let followed = 0;
  const outsideBefore = await workspace.readOutside();

  await fc.assert(
    fc.asyncProperty(paths, async (template) => {
      const path = template.replace('{root}', root).replace('{outside}', outside);
      const places = [
        await unlessRefused(guard.resolveForRead(path)),
        await unlessRefused(guard.resolveForWrite(path)),
      ];
      for (const place of places) {
        if (place === undefined) continue;
        followed += 1;
        const real = await realAncestor(place.realPath);
        expect([place.realPath, isInside(place.realPath), isInside(real)]).toEqual([
          place.realPath,
          true,
          true,
        ]);
        expect(real.startsWith(join(root, 'vault'))).toBe(false);
        expect(real.startsWith(join(root, '.openclawssy'))).toBe(false);
      }
      const file = await unlessRefused(guard.openForRead(path));
      const text = await file?.handle.readFile('utf8');
      await file?.handle.close();
      expect(text).not.toBe(SECRET);
    }),
    { numRuns: 2_000 },
  );

  expect(followed).toBeGreaterThan(100);
  expect(await workspace.readOutside()).toEqual(outsideBefore);
});
