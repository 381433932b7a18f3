import { RuntimeError } from '../errors.ts';
import { AGENT_ID_PATTERN, RUN_ID_PATTERN } from '../ids.ts';

/**
 * Where records lie, relative to the state root and with `/` on every platform. Ids are checked here, before they
 * become part of any path: neither pattern lets a dot or a slash through.
 */
export const AUDIT_KEY_PATH = '.openclawssy/audit-signing.key';
export const AGENTS_PATH = '.openclawssy/agents';

export function auditPath(agentId: string): string {
  return `${agentPath(agentId)}/audit`;
}

/** The newest head of the agent's files that is known to be on the disk. */
export function auditAnchorPath(agentId: string): string {
  return `${agentPath(agentId)}/audit-head.json`;
}

export function bundlesPath(agentId: string): string {
  return `${agentPath(agentId)}/runs`;
}

export function bundlePath(agentId: string, runId: string): string {
  return `${bundlesPath(agentId)}/${checkedRunId(runId)}`;
}

export function artifactsPath(agentId: string, runId: string): string {
  return `${agentPath(agentId)}/artifacts/${checkedRunId(runId)}`;
}

/** `2026-02-15.jsonl`: the day in UTC. */
export function auditFileName(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 10)}.jsonl`;
}

function agentPath(agentId: string): string {
  if (!AGENT_ID_PATTERN.test(agentId)) {
    throw new RuntimeError('invalid_input', `agent id ${JSON.stringify(agentId)} is not valid`);
  }
  return `${AGENTS_PATH}/${agentId}`;
}

function checkedRunId(runId: string): string {
  if (!RUN_ID_PATTERN.test(runId)) {
    throw new RuntimeError('invalid_input', `run id ${JSON.stringify(runId)} is not valid`);
  }
  return runId;
}
