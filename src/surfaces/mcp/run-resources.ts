import { RuntimeError } from '../../core/errors.ts';
import { RUN_ID_PATTERN, type RunId } from '../../core/ids.ts';
import type { Runs } from '../../core/runs/runs.ts';
import { encodeRunWithTrace } from './codec.ts';

const PREFIX = 'run://';
const MIME_TYPE = 'application/json';
const MAX_LISTED = 20;
const MAX_TITLE_CHARS = 80;

export const RUN_TEMPLATE = {
  name: 'run',
  uriTemplate: `${PREFIX}{run_id}`,
  description: 'A run: its status, its answer and what it did with tools.',
  mimeType: MIME_TYPE,
};

export async function listRunResources(runs: Runs) {
  const page = await runs.list({ limit: MAX_LISTED });
  return page.runs.map((run) => ({
    uri: `${PREFIX}${run.id}`,
    name: run.id,
    description: `${run.status}: ${run.message.slice(0, MAX_TITLE_CHARS)}`,
    mimeType: MIME_TYPE,
  }));
}

/** Throws `not_found` for what names no run. */
export function parseRunUri(uri: string): RunId {
  const id = uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : '';
  if (RUN_ID_PATTERN.test(id)) return id as RunId;
  throw new RuntimeError('not_found', 'resources are runs: run://<run id>', {
    details: { thing: 'resource' },
  });
}

export async function readRunResource(runs: Runs, uri: string) {
  const run = await runs.get(parseRunUri(uri));
  const text = JSON.stringify(encodeRunWithTrace(run, await runs.trace(run.id)));
  return { uri, mimeType: MIME_TYPE, text };
}
