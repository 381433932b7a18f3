import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** A few seconds in all: shows that the script works, not how fast anything is. */
  readonly isQuick: boolean;
  /** A directory with peers installed in its `node_modules`; absent, peers are not measured. */
  readonly peersDir: string | undefined;
  /** The built program to measure; another one than this repository's to compare two builds. */
  readonly program: string;
  /** Where to put processor profiles of the server and its writer thread; absent, none are made. */
  readonly profileDir: string | undefined;
}

export function readOptions(argv: readonly string[] = process.argv.slice(2)): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      quick: { type: 'boolean' },
      peers: { type: 'string' },
      program: { type: 'string', default: 'dist/claw.cjs' },
      profile: { type: 'string' },
    },
  });
  return {
    isQuick: values.quick ?? false,
    peersDir: values.peers === undefined ? undefined : resolve(values.peers),
    program: resolve(values.program),
    profileDir: values.profile === undefined ? undefined : resolve(values.profile),
  };
}
