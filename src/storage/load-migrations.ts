import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RuntimeError } from '../core/errors.ts';
import { findPackageRoot } from '../platform/package-root.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

const FILE_NAME = /^(\d{4})-[a-z0-9-]+\.sql$/;

/** The numbered SQL files of an engine, in order. Their numbers count up from 1 without a hole. */
export function loadMigrations(engine: 'sqlite' | 'postgres'): Migration[] {
  const directory = join(findPackageRoot(), 'migrations', engine);
  const names = readdirSync(directory).filter((name) => FILE_NAME.test(name));
  return names.sort().map((name, index) => {
    const version = Number.parseInt(name, 10);
    if (version !== index + 1) {
      throw new RuntimeError('internal', `migration ${name} is out of order in ${directory}`);
    }
    return { version, name, sql: readFileSync(join(directory, name), 'utf8') };
  });
}
