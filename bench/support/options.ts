import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** A few seconds in all: shows that the script works, not how fast anything is. */
  readonly isQuick: boolean;
  /** A directory with peers installed in its `node_modules`; absent, peers are not measured. */
  readonly peersDir: string | undefined;
}

export function readOptions(argv: readonly string[] = process.argv.slice(2)): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: { quick: { type: 'boolean' }, peers: { type: 'string' } },
  });
  return { isQuick: values.quick ?? false, peersDir: values.peers };
}
