import { onTestFinished } from 'vitest';
import type { Event } from '../../src/core/events/event.ts';
import type { AgentId, RunId } from '../../src/core/ids.ts';
import type { BridgeState } from '../../src/core/openclaw/bridge.ts';
import { awaitRun } from '../../src/core/runs/await-run.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';

export const REMOTE = 'lince' as AgentId;

export interface BridgedRuntime extends TestRuntime {
  submitRemote(message: string, owner?: string): Promise<RunId>;
  /** Submits to the agent that lives elsewhere and waits for the end. */
  askRemote(message: string): ReturnType<TestRuntime['awaitEnd']>;
  untilState(state: BridgeState): Promise<void>;
}

/** A runtime with an agent that lives in the gateway of this URL. */
export async function openBridgedRuntime(
  url: string,
  openclaw: object = {},
  token = 'gateway-token',
): Promise<BridgedRuntime> {
  const runtime = await openTestRuntime(createScriptedModel({ steps: [] }), {
    env: { OPENCLAW_WS_URL: url, OPENCLAW_GATEWAY_TOKEN: token },
    config: { openclaw },
  });
  onTestFinished(() => runtime.dispose());
  await runtime.agents.create({
    ...{ id: REMOTE, name: 'Lince', role: 'scout', runtime: 'openclaw' },
    memoryAccess: 'global',
  });
  const submitRemote = async (message: string, owner?: string) => {
    const work = { agentId: REMOTE, message, source: 'test', projectId: 'apollo' };
    const submitted = await runtime.runs.submit(owner === undefined ? work : { ...work, owner });
    return submitted.run.id;
  };
  return {
    ...runtime,
    submitRemote,
    askRemote: async (message) =>
      awaitRun(runtime.runs, await submitRemote(message), AbortSignal.timeout(30_000)),
    async untilState(state) {
      while (runtime.openclaw.status().state !== state) await turn();
    },
  };
}

export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

export function tell({ type, payload }: Event): string {
  return `${type} ${String(payload['kind'] ?? payload['tool'] ?? '')}`.trim();
}
