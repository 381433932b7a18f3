import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/core/json.ts';
import type { StoredRun } from './check-run.ts';
import { answerTo, CALLS, editedBy, loggedBy, writtenBy } from './workload-script.ts';

type Result = 'not_called' | 'ok' | 'failed';

/** What the run did to the workspace against what its log says it did. */
export async function checkEffects(root: string, { run, events }: StoredRun): Promise<string[]> {
  const violations: string[] = [];
  const wrong = (what: string) => violations.push(`${run.id}: ${what}`);
  const payloads = new Map<string, JsonObject>();
  const called = new Set<string>();
  for (const { type, payload } of events) {
    const callId = String(payload['tool_call_id']);
    if (type === 'tool.call') called.add(callId);
    if (type === 'tool.result') payloads.set(callId, payload);
  }
  const resultOf = (callId: string): Result => {
    if (!called.has(callId)) return 'not_called';
    return payloads.get(callId)?.['ok'] === true ? 'ok' : 'failed';
  };
  const [write, read, edit, log] = [CALLS.write, CALLS.read, CALLS.edit, CALLS.log].map(resultOf);

  const text = await readText(join(root, 'workspace', `${run.message}.txt`));
  const mayHold = textsAfter(run.message, write, edit);
  if (!mayHold.includes(text)) {
    wrong(`its file holds ${JSON.stringify(text)}; write ${write}, edit ${edit}`);
  }
  const logText = await readText(join(root, 'workspace', `${run.message}.log`));
  const mayLog = {
    not_called: [undefined],
    failed: [undefined, loggedBy(run.message)],
    ok: [loggedBy(run.message)],
  }[log ?? 'not_called'] satisfies (string | undefined)[];
  if (!mayLog.some((may) => may === logText)) {
    wrong(`its log holds ${JSON.stringify(logText)}; write ${log}`);
  }
  const output = payloads.get(CALLS.read)?.['output'] as { content?: unknown } | undefined;
  if (read === 'ok' && output?.content !== writtenBy(run.message)) {
    wrong(`it read ${JSON.stringify(output)}`);
  }
  if (run.status === 'completed') {
    if (write !== 'ok' || read !== 'ok' || log !== 'ok' || edit === 'not_called') {
      wrong(`completed with write ${write}, read ${read}, edit ${edit}, log ${log}`);
    }
    if (run.output !== answerTo(run.message)) wrong(`answered ${JSON.stringify(run.output)}`);
  }
  if (run.status !== 'cancelled') violations.push(...checkFailures(run.id, payloads));
  if (run.status === 'failed' && !run.error?.message.startsWith('given up after')) {
    wrong(`failed: ${run.error?.message}`);
  }
  return violations;
}

function textsAfter(
  message: string,
  write: Result | undefined,
  edit: Result | undefined,
): (string | undefined)[] {
  if (write === 'not_called') return [undefined];
  if (write === 'failed') return [undefined, writtenBy(message)];
  if (edit === 'not_called') return [writtenBy(message)];
  if (edit === 'ok') return [editedBy(message)];
  return [writtenBy(message), editedBy(message)];
}

/** Nothing in the workload fails by itself: only an edit that a crash has interrupted may. */
function checkFailures(runId: string, payloads: ReadonlyMap<string, JsonObject>): string[] {
  return [...payloads]
    .filter(([callId, { ok, error }]) => {
      const { code } = (error ?? {}) as { readonly code?: string };
      return ok !== true && !(callId === CALLS.edit && code === 'outcome_unknown');
    })
    .map(([callId, { error }]) => `${runId}: ${callId} failed: ${JSON.stringify(error)}`);
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
