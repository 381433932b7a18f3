import type { Clock } from '../clock.ts';
import { boundTokensIn } from '../costs/bound-tokens.ts';
import type { SpendingRun } from '../costs/run-ledger.ts';
import type { Spending } from '../costs/spending.ts';
import { defined } from '../defined.ts';
import type { EventDraft } from '../events/event.ts';
import type { JsonObject } from '../json.ts';
import type { Recall } from '../memory/recall-memories.ts';
import type { Redactor } from '../redact/redact.ts';
import { traceOf } from '../run-trace.ts';
import { type Metrics, SPANS, type Tracer } from '../telemetry.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { parseToolCalls } from './answers/parse-tool-calls.ts';
import type { PriceTable } from './answers/price.ts';
import { encodeUsage, isNothing } from './answers/spent-tokens.ts';
import { isStopped, stopNotice } from './answers/stopped-answer.ts';
import { findTakeable, takeMessages } from './apply-frame.ts';
import type { Brief } from './briefing.ts';
import {
  type CallModelDeps,
  callModel,
  type FailedAttempt,
  type ModelAnswer,
} from './call-model.ts';
import { createDeltaBatch, type DeltaBatch } from './delta-batch.ts';
import type { Execution } from './execution.ts';
import { fitMessages } from './fit-messages.ts';
import type { Asker, Model, ModelRequest, ToolRequest } from './model.ts';
import { settingsOf } from './offer-tools.ts';
import { applyRecalled } from './recalled.ts';
import { type ConditionDeps, digestMessages, findNewConditions } from './record/conditions.ts';
import { encodeCall } from './record/encode-call.ts';
import { encodeToolNames } from './record/tool-names.ts';
import { recordStep } from './record-step.ts';
import type { RunState } from './run-state.ts';
import { withNewIds } from './with-new-ids.ts';

export interface ModelTurnDeps extends CallModelDeps, ConditionDeps {
  readonly clock: Clock;
  readonly registry: Pick<ToolRegistry, 'find'>;
  readonly brief: Brief;
  readonly redactor: Redactor;
  readonly prices: PriceTable;
  /** Absent: nothing is reserved. */
  readonly spending?: Spending;
  readonly tracer: Tracer;
  readonly metrics: Metrics;
  readonly deltaBatchMs: number;
  /** What a run begins with of what is remembered; nothing when left out. */
  readonly recall?: Recall;
}

/** One model response: asked for, streamed and recorded, with its usage and price. */
export async function takeModelTurn(
  deps: ModelTurnDeps,
  execution: Execution,
  model: Model,
): Promise<void> {
  const turn = execution.state.totals.turns + 1;
  const reference = `${model.provider}/${model.name}`;
  const startedAtMs = deps.clock.nowMs();
  const batch = createDeltaBatch(deps, execution, turn);
  let attempts = 0;
  let maxOutputTokens = limitOutput(deps, execution.state);
  let outcome = 'error';
  let tokens = 0;
  try {
    const answer = await deps.tracer.span(SPANS.infer, { model: reference, turn }, () =>
      ask(deps, execution, {
        model,
        turn,
        batch,
        onAttempt(attempt, granted) {
          attempts = attempt;
          maxOutputTokens = granted;
        },
      }),
    );
    const notice = await tellStop(execution, { answer, maxOutputTokens, batch });
    await batch.close();
    const { text: said, calls, rejected } = readCalls(deps.registry, { model, answer, execution });
    const text = said + notice;
    outcome = 'completed';
    tokens = (answer.usage.inputTokens ?? 0) + (answer.usage.outputTokens ?? 0);
    execution.record({
      type: 'model.completed',
      actor: 'model',
      payload: {
        turn,
        text,
        tool_calls: calls.map(encodeCall),
        finish_reason: answer.reason,
        usage: encodeUsage(answer.usage),
        cost_usd: deps.prices.costUsd(reference, answer.usage),
        duration_ms: deps.clock.nowMs() - startedAtMs,
        attempts,
        ...(rejected.length === 0 ? {} : { rejected_calls: rejected }),
      },
      ...toAnswerMessage(execution, text, calls),
    });
    deps.spending?.settle(toSpendingRun(execution, reference), execution.state.spent);
  } finally {
    batch.discard();
    deps.metrics.modelTurn({
      model: reference,
      outcome,
      durationMs: deps.clock.nowMs() - startedAtMs,
      tokens,
    });
  }
}

interface Stopping {
  readonly answer: ModelAnswer;
  readonly maxOutputTokens: number;
  readonly batch: DeltaBatch;
}

/** An answer that was cut says so itself, streamed as its last words. */
async function tellStop(
  { state }: Execution,
  { answer: { reason, text }, maxOutputTokens, batch }: Stopping,
): Promise<string> {
  // Whoever gave a prompt is told why an answer ended, and wants the model's words alone.
  if (!isStopped(reason) || state.prompt) return '';
  const notice = `${text === '' ? '' : '\n\n'}${stopNotice(reason, maxOutputTokens)}`;
  await batch.add(notice);
  return notice;
}

interface Asking {
  readonly model: Model;
  readonly turn: number;
  readonly batch: DeltaBatch;
  readonly onAttempt: (attempt: number, maxOutputTokens: number) => void;
}

async function ask(
  deps: ModelTurnDeps,
  execution: Execution,
  asking: Asking,
): Promise<ModelAnswer> {
  const { agent, journal, signal, guard } = execution;
  const { model, turn, batch } = asking;
  const through = findToTake(execution, model, turn);
  const asked = takeMessages(execution.state, through);
  const recalled = await recallOnce(deps, execution, asked);
  const state = recalled ? applyRecalled(asked, recalled) : asked;
  const messages = execution.run.thread
    ? fitMessages(state.messages, deps.context().maxContextChars)
    : state.messages;
  const { system, tools } = await deps.brief({
    agent,
    owner: execution.run.owner,
    toolCalls: model.toolCalls,
    state,
  });
  const digest = digestMessages(messages);
  const toolNames = encodeToolNames(tools);
  const trace = traceOf(deps.tracer, execution.run.id);
  const settings = settingsOf(state);
  const plain = { system, messages, tools, maxOutputTokens: limitOutput(deps, state), trace };
  const request = settings ? { ...plain, settings } : plain;
  return callModel(deps, {
    model,
    signal,
    guard,
    async onAttempt(attempt) {
      const maxOutputTokens = await reserve(deps, execution, { model, request });
      asking.onAttempt(attempt, maxOutputTokens);
      batch.restart(attempt);
      const isCut = maxOutputTokens !== request.maxOutputTokens;
      const asker = toAsker(execution, turn);
      execution.record({
        type: 'model.requested',
        payload: {
          turn,
          attempt,
          ...encodeRequest(model, request),
          messages_sha256: digest,
          mode: state.recovery.isActive ? 'recovery' : 'normal',
          ...(isCut ? { max_output_tokens: maxOutputTokens } : {}),
          ...defined({ frames_through: through, conditions: findNewConditions(deps, execution) }),
          ...(recalled && execution.state.system === undefined ? { recalled } : {}),
          // Stored when it changes: the bundle needs it, and every turn repeating it would double the log.
          ...(execution.state.system === system ? {} : { system }),
          ...(execution.state.toolNames === toolNames ? {} : { tool_names: toolNames }),
        },
      });
      // An agent elsewhere acts on what it is asked, once: whoever goes on after a crash must know that it was.
      await (isElsewhere(model) ? journal.barrier() : journal.commit());
      return { ...request, maxOutputTokens, asker };
    },
    onText: (delta) => batch.add(delta),
    onStep: (step) => recordStep(execution, turn, step),
    onFailed: (failed) => recordFailure(deps, execution, { turn, model, failed }),
  });
}

/** What an agent elsewhere was asked already is asked again as it was: its answer is to that. The next turn takes the rest. */
function findToTake({ state }: Execution, model: Model, turn: number): number | undefined {
  const isAskedElsewhere = isElsewhere(model) && state.requestedTurn >= turn;
  return isAskedElsewhere ? undefined : findTakeable(state);
}

/** Whether it is an agent of its own, with tools that are no business of ours. */
function isElsewhere({ toolCalls }: Model): boolean {
  return toolCalls === 'none';
}

function encodeRequest(
  { provider, name, toolCalls }: Model,
  { messages, tools }: ModelRequest,
): JsonObject {
  return {
    provider,
    model: name,
    messages: messages.length,
    tools: tools.length,
    ...(toolCalls === 'native' ? {} : { calls_as: toolCalls }),
  };
}

/**
 * Before anything was asked, and never again: what was recalled is on record with the first question. A fork has in its
 * history what was recalled for the run that it goes on from.
 */
async function recallOnce(
  deps: ModelTurnDeps,
  { run, agent, signal, state: { system } }: Execution,
  state: RunState,
): Promise<JsonObject | undefined> {
  if (deps.recall === undefined || system !== undefined || run.forkedFrom) return undefined;
  const recalled = await deps.recall({
    owner: run.owner,
    agentId: agent.id,
    projectId: run.projectId,
    text: state.messages.findLast(({ role }) => role === 'user')?.text ?? '',
    signal,
  });
  if (!recalled) return undefined;
  return {
    text: deps.redactor.redactText(recalled.text),
    memory_ids: [...recalled.memoryIds],
    trusted: recalled.isTrusted,
  };
}

type OpenRequest = ModelRequest & Required<Pick<ModelRequest, 'maxOutputTokens'>>;

/** Takes what the call may cost off the budgets, and answers with how long its answer may be. */
async function reserve(
  { spending, prices }: ModelTurnDeps,
  execution: Execution,
  { model, request }: { readonly model: Model; readonly request: OpenRequest },
): Promise<number> {
  const { maxOutputTokens } = request;
  if (!spending) return maxOutputTokens;
  const reference = `${model.provider}/${model.name}`;
  return spending.reserve({
    run: toSpendingRun(execution, reference),
    spent: execution.state.spent,
    model: reference,
    price: prices.perMillion(reference),
    countTokensIn: () => boundTokensIn(request),
    tokensOut: maxOutputTokens,
    signal: execution.signal,
  });
}

/** Before the question is on record: by then it would be its own repetition. */
function toAsker({ run, agent, state }: Execution, turn: number): Asker {
  const { id: runId, owner, projectId, sessionId } = run;
  const isRepeat = state.requestedTurn >= turn;
  const isFork = run.forkedFrom !== undefined;
  return { runId, turn, isRepeat, isFork, owner, agent, projectId, sessionId };
}

function toSpendingRun({ run }: Execution, model: string): SpendingRun {
  return { runId: run.id, projectId: run.projectId, agentId: run.agentId, model };
}

/** Why the attempt failed, and what it cost all the same. */
function recordFailure(
  { prices, spending }: ModelTurnDeps,
  execution: Execution,
  { turn, model, failed }: { turn: number; model: Model; failed: FailedAttempt },
): void {
  const { attempt, error, usage } = failed;
  const reference = `${model.provider}/${model.name}`;
  execution.record({
    type: 'model.failed',
    actor: 'model',
    payload: {
      turn,
      attempt,
      error: { code: error.code, message: error.message, retryable: error.retryable },
      usage: encodeUsage(usage),
      cost_usd: isNothing(usage) ? 0 : prices.costUsd(reference, usage),
    },
  });
  spending?.settle(toSpendingRun(execution, reference), execution.state.spent);
}

interface ReadCalls {
  readonly text: string;
  readonly calls: readonly ToolRequest[];
  readonly rejected: readonly { readonly snippet: string; readonly reason: string }[];
}

interface Answered {
  readonly model: Model;
  readonly answer: ModelAnswer;
  readonly execution: Execution;
}

function readCalls(
  registry: ModelTurnDeps['registry'],
  { model, answer, execution }: Answered,
): ReadCalls {
  const { clientTools, messages } = execution.state;
  if (isStopped(answer.reason)) return { text: answer.text, calls: [], rejected: [] };
  if (model.toolCalls !== 'text') {
    const calls = withNewIds(limitCalls(execution, answer.calls), messages);
    return { text: answer.text, calls, rejected: [] };
  }
  const findName = (name: string) =>
    registry.find(name)?.name ?? clientTools.find((tool) => tool.name === name)?.name;
  const parsed = parseToolCalls(answer.text, findName);
  return {
    text: parsed.calls.length > 0 ? parsed.textWithoutCalls : answer.text,
    calls: withNewIds(limitCalls(execution, parsed.calls), messages),
    rejected: parsed.rejected,
  };
}

/** What is left out was never asked for: the model asks again when it still wants it. */
function limitCalls({ state }: Execution, calls: readonly ToolRequest[]): readonly ToolRequest[] {
  return state.prompt?.settings.singleCall ? calls.slice(0, 1) : calls;
}

function limitOutput({ maxOutputTokens }: ModelTurnDeps, { prompt }: RunState): number {
  return Math.min(maxOutputTokens, prompt?.settings.maxOutputTokens ?? maxOutputTokens);
}

/** A run of a thread outlives its answers, so each goes into the conversation by itself and not with the run's end. */
function toAnswerMessage(
  { run }: Execution,
  text: string,
  calls: readonly ToolRequest[],
): Pick<EventDraft, 'message'> {
  if (!run.thread || calls.length > 0 || text === '') return {};
  return { message: { role: 'assistant', content: text } };
}
