import { readdir } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('the client and every operation can be bundled for a browser', async () => {
  const names = await readdir(import.meta.dirname, { recursive: true });
  const sources = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

  const { metafile } = await build({
    stdin: {
      contents: sources.map((name, at) => `export * as file${at} from './${name}';`).join('\n'),
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    metafile: true,
    logLevel: 'silent',
  });

  const inputs = Object.keys(metafile.inputs).map((input) =>
    relative(import.meta.dirname, resolve(input)),
  );
  expect(sources).toContain('client.ts');
  expect(sources.filter((name) => !inputs.includes(name))).toEqual([]);
});
