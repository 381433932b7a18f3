import type { LoggingLevel, ServerContext } from '@modelcontextprotocol/server';
import type { EventType, NewsEvent } from '../../core/events/event.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Logger } from '../../core/log.ts';

/** Tells a caller what happens in the run that its call waits for. */
export interface CallReport {
  take(events: readonly NewsEvent[]): void;
  /** Resolves when everything has been handed over: what comes after the answer is lost. */
  sent(): Promise<void>;
}

interface EventReport {
  readonly level: LoggingLevel;
  readonly message: string;
}

const MAX_MESSAGE_CHARS = 300;

/** As progress where the caller gave a token for it, and as log messages of the level it asked for. */
export function createCallReport(
  request: Pick<ServerContext['mcpReq'], '_meta' | 'notify' | 'log'>,
  logger: Logger,
): CallReport {
  const progressToken = request._meta?.progressToken;
  let sending: Promise<unknown> = Promise.resolve();

  function send(notice: () => Promise<void>): void {
    sending = sending.then(notice).catch((error: unknown) => {
      logger.debug({ err: error }, 'an mcp client could not be told of a run');
    });
  }

  return {
    take(events) {
      for (const event of events) {
        const report = describeEvent(event);
        if (!report) continue;
        const { level, message } = report;
        if (progressToken !== undefined) {
          const params = { progressToken, progress: event.seq, message };
          send(() => request.notify({ method: 'notifications/progress', params }));
        }
        const data = { run_id: event.runId, seq: event.seq, event: event.type, message };
        send(() => request.log(level, data, 'runs'));
      }
    },

    async sent() {
      await sending;
    },
  };
}

/** Undefined for what comes in pieces: the text of an answer. */
function describeEvent({ type, payload }: NewsEvent): EventReport | undefined {
  const report = DESCRIPTIONS[type](payload);
  return report && { ...report, message: report.message.slice(0, MAX_MESSAGE_CHARS) };
}

const DESCRIPTIONS: Readonly<Record<EventType, (payload: JsonObject) => EventReport | undefined>> =
  {
    'run.created': () => info('created'),
    'run.started': () => info('started'),
    'frame.accepted': () => info('took in a frame'),
    'frame.ignored': () => info('ignored a frame'),
    'model.requested': () => ({ level: 'debug', message: 'asks the model' }),
    'model.delta': () => undefined,
    'model.completed': () => ({ level: 'debug', message: 'the model answered' }),
    'model.failed': () => ({ level: 'warning', message: 'the model did not answer' }),
    'agent.noted': ({ kind, text }) => info(`${textOf(kind)}: ${textOf(text)}`),
    'tool.call': ({ tool }) => info(`calls ${textOf(tool)}`),
    'tool.result': ({ ok, tool, summary }) => ({
      level: ok === true ? 'info' : 'warning',
      message: `${textOf(tool)}: ${textOf(summary)}`,
    }),
    'policy.decision': ({ decision, tool, message }) =>
      decision === 'ask'
        ? { level: 'notice', message: `waits for approval of ${textOf(tool)}: ${textOf(message)}` }
        : info(`${textOf(tool)} was judged: ${textOf(decision)}`),
    'run.cancel_requested': () => info('is asked to stop'),
    'run.recovered': () => ({ level: 'notice', message: 'goes on after a crash' }),
    'run.completed': () => info('completed'),
    'run.failed': () => ({ level: 'error', message: 'failed' }),
    'run.cancelled': () => info('cancelled'),
  };

function info(message: string): EventReport {
  return { level: 'info', message };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
