import { ERROR_CATALOGUE, type ErrorCode, RuntimeError } from '../../../core/errors.ts';
import { AGENT_ID_PATTERN, type AgentId, DEFAULT_AGENT_ID } from '../../../core/ids.ts';
import type { Run } from '../../../core/runs/run.ts';
import { AnswerPrinter } from '../answer-printer.ts';
import { defineCommand, type Failure } from '../command.ts';
import type { CliContext } from '../context.ts';
import { CLI_ERRORS, naming, parseError } from '../errors.ts';
import { followRun } from '../follow-run.ts';
import { type OpenRuns, openRuns, type Via } from '../open-runs.ts';
import { readMessage } from '../read-message.ts';
import { durationOf, encodeUsage } from '../run-fields.ts';

interface Asked {
  readonly via: Via;
  readonly run: Run;
  /** Why this command cancelled the run, if it did. */
  readonly stoppedBy: 'timeout' | 'interrupt' | undefined;
  /** What is still to be printed. */
  readonly rest: string;
}

const MAX_TIMEOUT_SECONDS = 86_400;

export const ask = defineCommand({
  usage: '[MESSAGE | -] [--agent ID] [--timeout-seconds N] [--stream | --no-stream]',
  description:
    'Through the running server, else in this process. Standard output gets the answer and nothing else; what the\n' +
    'agent does with tools is told on standard error. Without MESSAGE, or with -, the message is read from standard\n' +
    'input. Ctrl-C cancels the run. Exit code 1: the run failed or was cancelled; 2: out of time.',
  args: { min: 0, max: 100 },
  options: {
    agent: { kind: 'text', value: 'ID', summary: `the agent to ask (default ${DEFAULT_AGENT_ID})` },
    'timeout-seconds': {
      kind: 'number',
      value: 'N',
      min: 0.001,
      max: MAX_TIMEOUT_SECONDS,
      isWhole: false,
      summary: 'cancel the run after this long',
    },
    stream: { kind: 'flag', summary: 'print text as the model writes it (default on a terminal)' },
    'no-stream': {
      kind: 'flag',
      summary: 'print only the answer, when it is there (default in a pipe)',
    },
  },
  examples: [
    'claw ask "which files are in my workspace?"',
    'git diff | claw ask --timeout-seconds 60',
    "claw ask '/tool time.now {}' --output-format json",
  ],
  handlesInterrupt: true,
  async run({ args, options }, context): Promise<Asked> {
    const agentId = parseAgentId(options.agent);
    const message = await readMessage(args, context);
    const wantsStream = options.stream || (context.live.isTerminal && !options['no-stream']);
    const opened = await openRuns(context);
    try {
      const hint = 'agent_default exists from the first start';
      const { run } = await naming(
        { thing: 'agent', name: agentId, hint },
        opened.runs.submit({ agentId, message, source: 'cli' }),
      );
      const printer = new AnswerPrinter(context.live, wantsStream);
      const ended = await awaitAnswer({
        context,
        opened,
        run,
        printer,
        timeoutMs: (options['timeout-seconds'] ?? 0) * 1_000,
      });
      return { via: opened.via, ...ended, rest: printer.finish(ended.run) };
    } finally {
      await opened.close();
    }
  },
  fields: ({ via, run, stoppedBy }) => ({
    run_id: run.id,
    agent_id: run.agentId,
    status: run.status,
    stop_reason: stoppedBy === 'timeout' ? 'timeout' : (run.stopReason ?? null),
    output: run.output ?? '',
    usage: encodeUsage(run),
    tool_calls: run.totals.toolCalls,
    provider: run.provider ?? '',
    model: run.model ?? '',
    duration_ms: durationOf(run),
    via,
  }),
  text: ({ rest }) => rest,
  failure: toAskFailure,
});

interface Awaiting {
  readonly context: CliContext;
  readonly opened: OpenRuns;
  readonly run: Run;
  readonly printer: AnswerPrinter;
  /** 0: as long as it takes. */
  readonly timeoutMs: number;
}

/** A cancelled run ends within moments unless its runner is gone; then the wish is on record and nobody need wait. */
const CANCEL_WAIT_MS = 5_000;

async function awaitAnswer(awaiting: Awaiting): Promise<Pick<Asked, 'run' | 'stoppedBy'>> {
  const { context, opened, run, printer, timeoutMs } = awaiting;
  const { runs, idleMs } = opened;
  const deadline = timeoutMs > 0 ? [AbortSignal.timeout(timeoutMs)] : [];
  const signal = AbortSignal.any([context.signal, ...deadline]);
  const follow = { runs, runId: run.id, idleMs };
  try {
    const ended = await unlessAborted(
      signal,
      followRun({ ...follow, signal, onEvent: printer.take }),
    );
    return { run: ended, stoppedBy: undefined };
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  const stoppedBy = context.signal.aborted ? 'interrupt' : 'timeout';
  context.live.note(stoppedBy === 'timeout' ? 'out of time: cancelling' : 'cancelling');
  const patience = AbortSignal.timeout(CANCEL_WAIT_MS);
  const cancelled = await unlessAborted(
    patience,
    runs.cancel({ runId: run.id, reason: stoppedBy, actor: 'user' }),
  );
  const ending = followRun({ ...follow, signal: patience, onEvent: () => {} });
  const ended = await unlessAborted(patience, ending).catch(() => cancelled.run);
  // It may have answered before it heard of the wish.
  return { run: ended, stoppedBy: ended.status === 'completed' ? undefined : stoppedBy };
}

/** The work's result, or a `cancelled` error as soon as the signal aborts: a lost server must not hold up the prompt. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    const stop = () =>
      reject(new RuntimeError('cancelled', 'the run could not be cancelled in time'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([work, aborted]);
}

function parseAgentId(agent: string | undefined): AgentId {
  if (agent === undefined) return DEFAULT_AGENT_ID;
  if (AGENT_ID_PATTERN.test(agent)) return agent as AgentId;
  throw parseError(`option --agent must be an agent id (it is ${JSON.stringify(agent)})`, {
    target: 'ask',
    hint: 'letters, digits, _ and -, at most 64',
  });
}

function toAskFailure({ run, stoppedBy }: Asked): Failure | undefined {
  if (stoppedBy === 'timeout' || (run.status === 'failed' && run.stopReason === 'timeout')) {
    return { exitCode: 2, message: `run ${run.id} was stopped: out of time` };
  }
  if (run.status === 'completed') return undefined;
  const code = run.error?.code as ErrorCode | undefined;
  const isKnown = code !== undefined && Object.hasOwn(CLI_ERRORS, code);
  return {
    exitCode: 1,
    error: {
      kind: isKnown && code !== 'not_found' ? CLI_ERRORS[code][0] : 'runtime',
      operation: 'run',
      target: run.id,
      retryable: isKnown ? ERROR_CATALOGUE[code].retryable : false,
      message: run.error?.message ?? `run ${run.id} was cancelled`,
      hint: `claw runs show ${run.id} tells what happened`,
    },
  };
}
