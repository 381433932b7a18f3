import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { MODULE_LIST } from './ensure-built.mjs';
import { root } from './process.mjs';

const SOURCE = 'src/surfaces/cli/schemas/describe-commands.ts';

/** What `claw schema` reads: made here, so that no command loads a schema library to describe itself. */
export async function buildSchemas() {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [SOURCE],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20.11',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
  // In a folder below node_modules, from where packages are found.
  const file = join(dirname(MODULE_LIST), `describe-commands-${process.pid}.mjs`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, outputFiles[0].text);
  try {
    const { describeCommands } = await import(pathToFileURL(file));
    return [{ path: 'schemas.json', code: JSON.stringify(describeCommands()) }];
  } finally {
    rmSync(file, { force: true });
  }
}
