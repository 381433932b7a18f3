import { createHash } from 'node:crypto';

/** Runs as one step on the server: nobody else reads or writes in between. */
export interface Script {
  readonly source: string;
  readonly sha: string;
}

export function createScript(source: string): Script {
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}
