import type { RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { Principal } from '../principal.ts';
import type { Run } from '../runs/run.ts';
import type { CancelResult } from '../runs/run-store.ts';
import type { SubmitReceipt } from '../runs/submit-run.ts';
import type { TraceContext } from '../trace-context.ts';
import type { ClientTool } from './client-tool.ts';

/**
 * Runs that a product drives with frames. A thread is a conversation of the product: its runs share a context. Everything
 * here is done for a principal, and only to what is his: another's is `forbidden`, what does not exist `not_found`.
 */
export interface Threads {
  /** The same again answers with the first run; another one under the same id is a `conflict`. */
  create(request: CreateThreadRun): Promise<SubmitReceipt>;
  get(ref: ThreadRef): Promise<Run>;
  /** Durable when it returns. The same frame again changes nothing; another under the same id is a `conflict`. */
  accept(request: AcceptFrame): Promise<AcceptedFrame>;
  cancel(request: CancelThreadRun): Promise<CancelResult>;
}

export interface ThreadRef {
  readonly runId: RunId;
  readonly threadId: string;
  readonly principal: Principal;
}

export interface CreateThreadRun {
  readonly runId?: RunId;
  readonly threadId: string;
  readonly principal: Principal;
  /** By id, slug or name. Absent: the default agent. */
  readonly agentId?: string;
  /** Ends with its first answer instead of waiting for the next frame. */
  readonly autoFinish: boolean;
  /** Tools that the caller carries out itself and answers with `tool_result` frames. */
  readonly clientTools: readonly ClientTool[];
}

export interface AcceptFrame extends ThreadRef {
  readonly frameId: string;
  readonly type: string;
  readonly payload: JsonObject;
  readonly occurredAt?: string;
  readonly trace?: TraceContext;
}

interface AcceptedFrame {
  readonly run: Run;
  readonly replayed: boolean;
}

interface CancelThreadRun extends ThreadRef {
  readonly reason: string;
}
