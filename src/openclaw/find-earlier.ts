import { RuntimeError } from '../core/errors.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { Usage } from '../core/loop/model.ts';
import { addUsage, decodeEnd, decodeUsage, type RemoteEnd, UNKNOWN_USAGE } from './decode-end.ts';
import type { GatewayLine } from './gateway-line.ts';
import { GatewayError } from './gateway-requests.ts';
import type { Question } from './session.ts';
import { listOf, objectOf, textOf } from './wire.ts';

/** The newest messages of the conversation there: the question is among them, or never arrived. */
const HISTORY_ROWS = 60;
/** One wait for a run to end; it is asked about again and again until it has. */
const WAIT_MS = 20_000;
/** A gateway that answers a wait at once, without an end, is not asked faster than this. */
const BETWEEN_WAITS_MS = 500;

/**
 * What came of a question that may have been sent before. A gateway forgets keys within minutes and with a restart;
 * the conversation it keeps does not. Undefined: it never arrived, and may be sent.
 */
export async function findEarlier(
  line: GatewayLine,
  question: Question,
  signal: AbortSignal,
): Promise<RemoteEnd | undefined> {
  const trace = await readTrace(line, question);
  return trace.hasArrived || trace.isActive ? followToEnd(line, question, signal) : undefined;
}

/** To the end of a run that is under way there, or was. */
export async function followToEnd(
  line: GatewayLine,
  question: Question,
  signal: AbortSignal,
): Promise<RemoteEnd> {
  for (;;) {
    const params = { runId: question.key, timeoutMs: WAIT_MS };
    const ended = await line.send('agent.wait', params, { timeoutMs: 2 * WAIT_MS });
    if (signal.aborted) throw signal.reason;
    const isOver = ended['status'] === 'ok' || ended['status'] === 'error';
    if (isOver || ended['endedAt'] !== undefined) {
      const { usage, text } = await readTrace(line, question);
      const end = decodeEnd(ended, usage);
      return { ...end, text: end.text ?? text };
    }
    const trace = await readTrace(line, question);
    if (!trace.isActive) return concludeFrom(trace);
    await line.clock.sleep(BETWEEN_WAITS_MS, signal);
    if (signal.aborted) throw signal.reason;
  }
}

interface Trace {
  readonly hasArrived: boolean;
  readonly isActive: boolean;
  /** Of the last message that ended an answer. */
  readonly text: string | undefined;
  readonly usage: Usage;
}

/** The gateway no longer knows the run; what it wrote down is all there is. */
function concludeFrom({ text, usage }: Trace): RemoteEnd {
  if (text !== undefined) return { text, usage };
  throw new RuntimeError(
    'outcome_unknown',
    'the agent in OpenClaw got the message and gave no answer; whether it acted on it is unknown: look into its conversation there before asking again',
  );
}

async function readTrace(line: GatewayLine, { key, sessionKey }: Question): Promise<Trace> {
  let history: JsonObject;
  try {
    history = await line.send('chat.history', { sessionKey, limit: HISTORY_ROWS });
  } catch (thrown) {
    // Without a history the key alone keeps it from being done twice.
    const isForNow =
      thrown instanceof GatewayError && (thrown.isRetryable || thrown.code === 'UNAVAILABLE');
    // One that can't tell at the moment is asked again, as a repetition.
    if (thrown instanceof GatewayError && !isForNow) return NO_TRACE;
    throw thrown;
  }
  const rows = listOf(history['messages']).filter(isJsonObject);
  const info = objectOf(history['sessionInfo']);
  const pending = listOf(objectOf(history['pendingInputs'])['items']).filter(isJsonObject);
  const own = rows.filter((row) => textOf(objectOf(row['__openclaw'])['runId']) === key);
  const answers = own.filter(({ role }) => role === 'assistant');
  return {
    hasArrived: own.length > 0 || [...rows, ...pending].some((row) => isAskedWith(row, key)),
    isActive:
      listOf(info['activeRunIds']).includes(key) ||
      textOf(objectOf(history['inFlightRun'])['runId']) === key,
    text: answers.findLast(({ stopReason }) => stopReason === 'stop') && textIn(answers.at(-1)),
    usage:
      answers
        .map((row) => decodeUsage(objectOf(row['usage'])))
        .reduce<Usage | undefined>(sum, undefined) ?? UNKNOWN_USAGE,
  };
}

const NO_TRACE: Trace = {
  hasArrived: false,
  isActive: false,
  text: undefined,
  usage: UNKNOWN_USAGE,
};

const sum = (total: Usage | undefined, one: Usage): Usage => (total ? addUsage(total, one) : one);

function isAskedWith(row: JsonObject, key: string): boolean {
  const keys = [row['idempotencyKey'], objectOf(row['__openclaw'])['idempotencyKey'], row['runId']];
  return keys.some((one) => one === key || one === `${key}:user`);
}

function textIn(row: JsonObject | undefined): string | undefined {
  const content = row?.['content'];
  if (typeof content === 'string') return content;
  const texts = listOf(content)
    .filter(isJsonObject)
    .flatMap((part) => textOf(part['text']) ?? []);
  return texts.length === 0 ? undefined : texts.join('\n\n');
}
