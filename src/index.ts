// The public API for embedding. Names are listed one by one: what is not here may change without notice.
export { createRuntime, type Runtime, type RuntimeOptions } from './app.ts';
export { type ErrorCode, RuntimeError } from './core/errors.ts';
export type { Event, EventType } from './core/events/event.ts';
export { type AgentId, DEFAULT_AGENT_ID, type RunId } from './core/ids.ts';
export type { JsonObject, JsonValue } from './core/json.ts';
export type { Logger } from './core/log.ts';
export { awaitRun } from './core/runs/await-run.ts';
export type { Run, RunStatus, RunTotals, StopReason } from './core/runs/run.ts';
export type { Runs } from './core/runs/runs.ts';
export type { SubmitReceipt, SubmitRun } from './core/runs/submit-run.ts';
export {
  defineTool,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolEffect,
} from './core/tools/tool.ts';
export { type SignedRequest, signRequest } from './sign-request.ts';
