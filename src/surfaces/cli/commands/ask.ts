import { DEFAULT_AGENT_ID, SESSION_ID_PATTERN, type SessionId } from '../../../core/ids.ts';
import type { ApprovalShape } from '../../../operations/approvals/approval-shapes.ts';
import type { ApprovalWriting } from '../../../operations/approvals/approvals.ts';
import type { RunDetail } from '../../../operations/runs/run-shapes.ts';
import type { RunWriting } from '../../../operations/runs/runs.ts';
import { namingAgent, parseAgent } from '../admin-arguments.ts';
import { submitRun, toRunWriting } from '../ask/ask-runs.ts';
import { openWay, type Way } from '../ask/ask-runtime.ts';
import { fromRuntime } from '../ask/place.ts';
import { attachFiles } from '../attach-files.ts';
import type { Via } from '../healthy-server.ts';
import { AnswerPrinter } from '../print/answer-printer.ts';
import { defineCommand } from '../program/command.ts';
import type { CliContext, LocalRuntime } from '../program/context.ts';
import { naming, parseError } from '../program/errors.ts';
import type { Failure } from '../program/failure.ts';
import { parseProject, projectOption } from '../project-option.ts';
import { readMessage } from '../read-message.ts';
import { createStop, type StopCause } from '../stop.ts';
import { awaitRunEnd } from './runs/await-run-end.ts';
import { toRunFault } from './runs/run-fault.ts';
import { toAnswerFields } from './runs/run-fields.ts';
import { createRunQuestions, toWaitingFault } from './runs/run-questions.ts';

interface Asked {
  readonly via: Via;
  readonly run: RunDetail;
  /** Why this command cancelled the run, if it did. */
  readonly stoppedBy: StopCause | undefined;
  /** What the run waits for, when this command did not. */
  readonly approval: ApprovalShape | undefined;
  /** What is still to be printed. */
  readonly rest: string;
}

interface Asking extends RunWriting, ApprovalWriting {
  readonly local: LocalRuntime;
}

/** A run whose question was answered comes back through the queue of this process. */
const HERE = fromRuntime((local): Asking => ({ ...toRunWriting(local), ...local.admin, local }));

const MAX_TIMEOUT_SECONDS = 86_400;

export const ask = defineCommand({
  usage:
    '[MESSAGE | -] [--agent ID] [--model PROVIDER/NAME] [--session ID] [--project ID] [--file PATH]... [--timeout-seconds N] [--stream | --no-stream]',
  description:
    'Through the running server, else in this process. Standard output gets the answer and nothing else; what the\n' +
    'agent does with tools is told on standard error. Without MESSAGE, or with -, the message is read from standard\n' +
    'input. --file adds the text of a file to the message. --session goes on with a conversation, which then knows this\n' +
    'message and its answer; without it nothing is remembered. Ctrl-C cancels the run. A call that needs an approval is\n' +
    'asked about on a terminal; elsewhere it is said how to decide, and without a server, or in JSON, the run is left\n' +
    'waiting for it. Exit code 1: the run failed, was cancelled, or waits for an approval; 2: out of time.',
  args: { min: 0, max: 100 },
  options: {
    agent: {
      kind: 'text',
      value: 'ID',
      summary: `the agent to ask (default ${DEFAULT_AGENT_ID})`,
    },
    model: {
      kind: 'text',
      value: 'PROVIDER/NAME',
      summary: "the model for this run alone (default: the agent's)",
    },
    session: { kind: 'text', value: 'ID', summary: 'the conversation it belongs to' },
    project: projectOption('what the work counts for'),
    file: {
      kind: 'list',
      value: 'PATH',
      summary: 'a text file that goes with the message; repeatable',
    },
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
    'claw ask "what is wrong here?" --file app.log --file config.json',
    'claw ask "and in French?" --session session_01jv8z --model anthropic/claude-sonnet-4-5',
    "claw ask '/tool time.now {}' --output-format json",
  ],
  handlesInterrupt: true,
  async run({ args, options }, context): Promise<Asked> {
    const agentId = parseAgent(options.agent, 'ask');
    const model = parseModel(options.model);
    const sessionId = parseSession(options.session);
    const projectId = parseProject(options.project, 'ask');
    const message = await attachFiles(await readMessage(args, context), options.file);
    const wantsStream = options.stream || (context.live.isTerminal && !options['no-stream']);
    const way = await openWay(context, HERE);
    try {
      const submitted = submitRun(way, { agentId, message, model, sessionId, projectId });
      const runId = await namingAgent(
        agentId,
        sessionId === undefined ? submitted : namingSession(sessionId, submitted),
      );
      const printer = new AnswerPrinter(context.live, wantsStream);
      const ended = await awaitAnswer({
        context,
        way,
        runId,
        printer,
        timeoutMs: toMs(options['timeout-seconds']),
      });
      return { via: way.via, ...ended, rest: printer.finish(ended.run) };
    } finally {
      await way.close();
    }
  },
  fields: ({ via, run, stoppedBy, approval }) => ({
    run_id: run.id,
    agent_id: run.agent_id,
    status: run.status,
    ...(approval === undefined ? {} : { approval_id: approval.id }),
    stop_reason: stoppedBy === 'timeout' ? 'timeout' : run.stop_reason,
    ...toAnswerFields(run),
    via,
  }),
  text: ({ rest }) => rest,
  failure: toAskFailure,
});

interface Awaiting {
  readonly context: CliContext;
  readonly way: Way<Asking>;
  readonly runId: string;
  readonly printer: AnswerPrinter;
  readonly timeoutMs: number | undefined;
}

type Awaited = Pick<Asked, 'run' | 'stoppedBy' | 'approval'>;

async function awaitAnswer(awaiting: Awaiting): Promise<Awaited> {
  const { context, way, runId, printer, timeoutMs } = awaiting;
  const { live, clock, signal: interrupt } = context;
  const stop = createStop({ interrupt, clock, timeoutMs });
  const questions = createRunQuestions({
    context,
    way,
    // A server takes the run up by itself.
    onAnswered: () => (way.via === 'local' ? way.here.local.takeQueue() : undefined),
    stop,
  });
  try {
    const ended = await awaitRunEnd({
      way,
      runId,
      stop,
      leavesWaiting: true,
      onEvent(event) {
        printer.take(event);
        questions.take(event);
      },
      onStop: (cause) => live.note(cause === 'timeout' ? 'out of time: cancelling' : 'cancelling'),
    });
    if (ended.cancelFault) throw ended.cancelFault;
    const isOpen = ended.stoppedBy === 'approval';
    return { ...ended, approval: isOpen ? await questions.findOpen(ended.run) : undefined };
  } finally {
    stop.release();
  }
}

function toMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}

function parseModel(model: string | undefined): string | undefined {
  if (model === undefined || /^[a-z][a-z0-9-]*\/[\x21-\x7e]{1,200}$/.test(model)) return model;
  throw parseError(`option --model must be PROVIDER/NAME (it is ${JSON.stringify(model)})`, {
    target: 'ask',
    hint: 'as in openai/gpt-5, anthropic/claude-sonnet-4-5, ollama/llama3.2 or offline/rules',
  });
}

function parseSession(session: string | undefined): SessionId | undefined {
  if (session === undefined || SESSION_ID_PATTERN.test(session)) return session as SessionId;
  throw parseError(`option --session must be a session id (it is ${JSON.stringify(session)})`, {
    target: 'ask',
    hint: 'claw sessions list shows them',
  });
}

function namingSession<T>(name: SessionId, lookup: Promise<T>): Promise<T> {
  const hint = 'claw sessions list shows them; one of another agent needs --agent too';
  return naming({ thing: 'session', name, hint }, lookup);
}

function toAskFailure({ run, stoppedBy, approval, via }: Asked): Failure | undefined {
  if (stoppedBy === 'approval') {
    return { exitCode: 1, error: toWaitingFault(run, approval, via) };
  }
  if (stoppedBy === 'timeout' || (run.status === 'failed' && run.stop_reason === 'timeout')) {
    return { exitCode: 2, message: `run ${run.id} was stopped: out of time` };
  }
  if (run.status === 'completed') return undefined;
  return { exitCode: 1, error: toRunFault(run) };
}
