import type { Approval, ApprovalStore } from '../approvals/approval.ts';
import type { Clock } from '../clock.ts';
import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Policy } from '../policy/policy.ts';
import type { Redactor } from '../redact/redact.ts';
import { digestPayload } from '../reliability/idempotency/key-digests.ts';
import type { Artifact, ArtifactStore } from './artifact-store.ts';
import { failure, type ToolOutcome } from './envelope.ts';
import type { Layer, ToolCall, ToolLayers } from './pipeline.ts';

export interface LayerDeps {
  readonly policy: Policy;
  /** Without one, what needs an approval is never approved. */
  readonly approvals?: Pick<ApprovalStore, 'findByRequest'>;
  readonly artifacts: ArtifactStore;
  readonly redactor: Redactor;
  readonly clock: Clock;
  /** The operator's bound on any tool's output, asked for every call; a tool's own may be lower. */
  readonly maxOutputBytes: () => number;
}

/** The layers that decide and bound; those that repeat and cut off are the reliability layer's. */
export function createToolLayers(
  deps: LayerDeps,
): Pick<ToolLayers, 'validateInput' | 'enforcePolicy' | 'boundOutput' | 'timeout'> {
  return {
    validateInput,
    enforcePolicy: enforcePolicy(deps),
    boundOutput: boundOutput(deps),
    timeout: timeout(deps.clock),
  };
}

const validateInput: Layer = (call, next) => {
  const parsed = call.tool.input.safeParse(call.tool.repair(call.input));
  if (parsed.success) return next({ ...call, input: parsed.data });
  const issues = parsed.error.issues.slice(0, 5).map((issue) => ({
    path: issue.path.map(String).join('.'),
    message: issue.message,
  }));
  const message = issues
    .map(({ path, message }) => (path ? `${path}: ${message}` : message))
    .join('; ');
  return Promise.resolve(
    failure(new RuntimeError('tool_input_invalid', message, { details: { issues } })),
  );
};

function enforcePolicy({ policy, approvals }: LayerDeps): Layer {
  return async (call, next) => {
    const decision = await policy.decide(call);
    if (decision.decision === 'allow') return next(call);
    const details = { reason: decision.reason };
    if (decision.decision === 'deny') {
      return failure(new RuntimeError('policy_denied', decision.message, { details }));
    }
    const approval = await approvals?.findByRequest(call.requestId);
    const inputDigest = digestPayload(call.input);
    const isSame = approval !== undefined && isFor(approval, call, inputDigest);
    if (isSame && approval.status === 'approved') return next(call);
    if (approval === undefined || (isSame && approval.status === 'pending')) {
      const asked = { details: { ...details, input_digest: inputDigest } };
      return failure(new RuntimeError('approval_required', decision.message, asked));
    }
    const why = isSame ? `was ${approval.status}` : 'is for another call';
    const message = `${decision.message}; approval ${approval.id} ${why}`;
    return failure(new RuntimeError('policy_denied', message, { details }));
  };
}

/** The arguments as they would be carried out: a newer release may read the same words in another way. */
function isFor(approval: Approval, call: ToolCall, inputDigest: string): boolean {
  const { runId, tool } = approval;
  return runId === call.runId && tool === call.tool.name && approval.inputDigest === inputDigest;
}

/** How much of a large output stays in the log and in front of the model. */
const EXCERPT_CHARS = 4_000;

function boundOutput(deps: LayerDeps): Layer {
  return async (call, next) => {
    const outcome = await next(call);
    if (!outcome.ok) return outcome;
    const text = toText(outcome.output);
    if (text === undefined) return { ok: true, output: NOT_JSON, summary: outcome.summary };
    const bytes = Buffer.byteLength(text);
    if (bytes <= Math.min(call.tool.limits.maxOutputBytes, deps.maxOutputBytes())) return outcome;
    const whole = deps.redactor.redactText(readable(outcome.output) ?? text);
    const artifact = await storeWhole(deps, call, whole);
    const output: JsonObject = {
      truncated: true,
      bytes,
      excerpt: whole.slice(0, EXCERPT_CHARS),
      ...(artifact === undefined
        ? NOT_STORED
        : { artifact: artifact.path, note: 'artifact.read shows the rest' }),
    };
    const stored = defined({ artifact });
    return { ok: true, output, summary: outcome.summary, ...stored };
  };
}

const NOT_JSON: JsonObject = { note: 'the call was made; its result can not be written as JSON' };
const NOT_STORED: JsonObject = { note: 'the call was made; the rest of its result is lost' };

/** Undefined when it can't be stored: the call has succeeded, and a full disk must not say otherwise. */
async function storeWhole(
  deps: LayerDeps,
  { runId, agentId, tool }: ToolCall,
  text: string,
): Promise<Artifact | undefined> {
  try {
    return await deps.artifacts.put({ runId, agentId, name: tool.name, text });
  } catch {
    return undefined;
  }
}

function toText(output: JsonObject): string | undefined {
  try {
    return JSON.stringify(output);
  } catch {
    return undefined;
  }
}

/** A lone large text reads better as itself than as a JSON string with every line break escaped. */
function readable(output: JsonObject): string | undefined {
  const content = output['content'];
  return typeof content === 'string' ? content : undefined;
}

function timeout(clock: Clock): Layer {
  return async (call, next) => {
    const ended = new AbortController();
    const stop = (reason: RuntimeError) => ended.abort(reason);
    const onAbort = () => stop(toAbortError(call.signal));
    if (call.signal.aborted) return failure(toAbortError(call.signal));
    call.signal.addEventListener('abort', onAbort, { once: true });
    const cancelTimer = clock.after(call.timeoutMs, () => stop(timedOut(call)));
    try {
      // A handler that ignores its signal is abandoned: its late result finds nobody listening.
      return await Promise.race([
        next({ ...call, signal: ended.signal }),
        whenAborted(ended.signal),
      ]);
    } finally {
      cancelTimer();
      call.signal.removeEventListener('abort', onAbort);
    }
  };
}

function whenAborted(signal: AbortSignal): Promise<ToolOutcome> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(failure(toAbortError(signal))), { once: true });
  });
}

function timedOut(call: ToolCall): RuntimeError {
  return new RuntimeError(
    'timeout',
    `${call.tool.name} did not finish within ${call.timeoutMs} ms`,
    {
      // Nobody knows how far a write got; running it again by itself could repeat its effect.
      retryable: call.tool.idempotent,
      details: { effect: call.tool.effect === 'write' ? 'unknown' : 'none' },
    },
  );
}

function toAbortError(signal: AbortSignal): RuntimeError {
  const reason: unknown = signal.reason;
  return reason instanceof RuntimeError
    ? reason
    : new RuntimeError('cancelled', 'the call was cancelled');
}

/** An output that says of itself that it failed counts as a failure for recovery mode. */
export function reportsFailure(output: unknown): boolean {
  if (!isJsonObject(output)) return false;
  const { error, exit_code: exitCode } = output;
  if (typeof exitCode === 'number' && exitCode !== 0) return true;
  return typeof error === 'string'
    ? error !== ''
    : isJsonObject(error) && Object.keys(error).length > 0;
}
