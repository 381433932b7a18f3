import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server';
import { RuntimeError } from '../../core/errors.ts';
import type { Runs } from '../../core/runs/runs.ts';
import type { Prompts } from './prompts.ts';
import { RUN_TEMPLATE } from './run-resources.ts';

/** What the protocol lets an answer hold, and how far back runs are looked at. */
const MAX_VALUES = 100;

/** What somebody may be about to type into an argument of a prompt or the id of a run. */
export async function complete(
  { prompts, runs }: { readonly prompts: Prompts; readonly runs: Pick<Runs, 'list'> },
  { ref, argument }: CompleteRequestParams,
): Promise<CompleteResult> {
  if (ref.type === 'ref/prompt') {
    return toResult(await prompts.suggest(ref.name, argument.name), argument.value);
  }
  if (ref.uri !== RUN_TEMPLATE.uriTemplate || argument.name !== 'run_id') {
    throw new RuntimeError('not_found', `the one template is ${RUN_TEMPLATE.uriTemplate}`, {
      details: { thing: 'resource' },
    });
  }
  const page = await runs.list({ limit: MAX_VALUES });
  return toResult(
    page.runs.map(({ id }) => id),
    argument.value,
  );
}

function toResult(all: readonly string[], typed: string): CompleteResult {
  const begun = typed.toLowerCase();
  const values = all.filter((value) => value.toLowerCase().startsWith(begun));
  return {
    completion: {
      values: values.slice(0, MAX_VALUES),
      total: values.length,
      hasMore: values.length > MAX_VALUES,
    },
  };
}
