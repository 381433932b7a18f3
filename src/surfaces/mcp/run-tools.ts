import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { AgentId, RunId } from '../../core/ids.ts';
import { watchRun } from '../../core/runs/await-run.ts';
import type { Runs } from '../../core/runs/runs.ts';
import { encodeRun, encodeRunPage, encodeRunWithTrace } from './codec.ts';
import {
  runCancelInput,
  runGetInput,
  runListInput,
  runSubmitInput,
  runWaitInput,
} from './schema.ts';
import { defineServedTool, type ServedCall, type ServedTool } from './served-tool.ts';

/** Where a run came from, in its row and its log. */
export const SOURCE = 'mcp';

export function createRunTools(runs: Runs): readonly ServedTool[] {
  return [
    defineServedTool({
      name: 'run_submit',
      description:
        'Ask an agent to do something. Answers at once with the run, which is durable and goes on by itself; ' +
        'follow it with run_wait or run_get.',
      input: runSubmitInput,
      readOnly: false,
      async run({ message, agent_id: agentId, idempotency_key: idempotencyKey }) {
        const receipt = await runs.submit({
          agentId: agentId as AgentId,
          message,
          source: SOURCE,
          ...defined({ idempotencyKey }),
        });
        return { ...encodeRun(receipt.run), replayed: receipt.replayed };
      },
    }),
    defineServedTool({
      name: 'run_get',
      description: 'Read a run: its status, its answer and what it did with tools.',
      input: runGetInput,
      readOnly: true,
      async run({ run_id: id }) {
        const run = await runs.get(id as RunId);
        return encodeRunWithTrace(run, await runs.trace(run.id));
      },
    }),
    defineServedTool({
      name: 'run_list',
      description: 'List runs, newest first.',
      input: runListInput,
      readOnly: true,
      async run({ status, agent_id: agentId, limit, before }) {
        const page = await runs.list({
          limit,
          ...defined({
            status,
            agentId: agentId as AgentId | undefined,
            before: before as RunId | undefined,
          }),
        });
        return encodeRunPage(page);
      },
    }),
    defineServedTool({
      name: 'run_cancel',
      description: 'Ask a run to stop. Asking again, or after its end, changes nothing.',
      input: runCancelInput,
      readOnly: false,
      idempotent: true,
      async run({ run_id: id, reason }) {
        const known = await runs.get(id as RunId);
        const { run, recorded } = await runs.cancel({ runId: known.id, reason, actor: 'user' });
        return { ...encodeRun(run), recorded };
      },
    }),
    defineServedTool({
      name: 'run_wait',
      description:
        'Wait until a run has ended, and read it. After the time given, `ended` is false.',
      input: runWaitInput,
      readOnly: true,
      run: ({ run_id: id, timeout_ms: timeoutMs }, { signal, onEvents }) =>
        waitForRun(runs, id as RunId, {
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
          onEvents,
        }),
    }),
  ];
}

async function waitForRun(runs: Runs, id: RunId, call: ServedCall) {
  await watchRun(runs, { runId: id, ...call }).catch((error: unknown) => {
    if (!(error instanceof RuntimeError) || error.code !== 'cancelled') throw error;
  });
  return encodeRunWithTrace(await runs.get(id), await runs.trace(id));
}
