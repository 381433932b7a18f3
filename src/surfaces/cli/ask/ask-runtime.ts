import {
  type AnswerOf,
  type InputOf,
  type Operation,
  type StreamOperation,
  toBody,
  type Wire,
} from '../../../operations/operation.ts';
import type { StreamRequest } from '../../../operations/read-stream.ts';
import { findHealthyServer, type Via } from '../healthy-server.ts';
import type { CliContext } from '../program/context.ts';
import type { ServerLinkOptions } from '../remote/server-link.ts';
import type { Open, Place } from './place.ts';

/** Asks one operation. A command can't tell which way it goes. */
export type Ask<Deps> = <W extends Wire>(
  operation: Operation<Deps, W>,
  input: InputOf<W>,
) => Promise<AnswerOf<W>>;

/** Follows what goes on until it is over, quiet, or the signal aborts; however often a connection breaks. */
type Stream<Deps> = <W extends Wire>(
  operation: StreamOperation<Deps, W>,
  input: InputOf<W>,
  signal: AbortSignal,
) => AsyncGenerator<readonly AnswerOf<W>[]>;

/** Through the running server, else to a place that was opened here. */
export type Way<Deps> = Questions<Deps> & (ServerWay | LocalWay<Deps>);

interface Questions<Deps> {
  readonly ask: Ask<Deps>;
  readonly stream: Stream<Deps>;
  close(): Promise<void>;
}

interface ServerWay {
  readonly via: 'server';
  readonly server: ServerLinkOptions;
}

interface LocalWay<Deps> {
  readonly via: 'local';
  readonly here: Deps;
}

export interface Asked<Answer> {
  readonly via: Via;
  readonly answer: Answer;
}

/** Asks one operation of a noun: through the running server, else at its place here. */
export function askAt<Reading, Writing extends Reading>({ read, write }: Place<Reading, Writing>) {
  return async <W extends Wire>(
    context: CliContext,
    operation: Operation<Writing, W>,
    input: InputOf<W>,
  ): Promise<Asked<AnswerOf<W>>> => {
    // What only looks is declared on what readers have.
    const open = operation.effect === 'read' ? (read as Open<Writing>) : write;
    return asking(context, open, async (ask, via) => ({
      via,
      answer: await ask(operation, input),
    }));
  };
}

/** For several questions through one server, or to a place that is opened once. */
export async function asking<Deps, T>(
  context: CliContext,
  open: Open<Deps>,
  work: (ask: Ask<Deps>, via: Via) => Promise<T>,
): Promise<T> {
  const { ask, via, close } = await openWay(context, open);
  try {
    return await work(ask, via);
  } finally {
    await close();
  }
}

/** For those who stay, and follow what goes on. */
export async function openWay<Deps>(context: CliContext, open: Open<Deps>): Promise<Way<Deps>> {
  const locate = () => findHealthyServer(context);
  const server = await locate();
  if (server !== undefined) return openServerWay({ server, locate, clock: context.clock });
  const { deps, close } = await open(context);
  return {
    via: 'local',
    ask: async (operation, input) => toBody(await operation.run(deps, input)),
    stream: (operation, input, signal) => operation.follow(deps, input, signal),
    here: deps,
    close,
  };
}

async function openServerWay<Deps>(server: ServerLinkOptions): Promise<Way<Deps>> {
  const { openClient } = await import('../remote/open-client.ts');
  const { call, stream } = openClient(server);
  return {
    via: 'server',
    ask: call,
    stream: <W extends Wire>(...[operation, input, signal]: StreamArguments<W>) =>
      stream({ operation, input, signal }),
    server,
    close: async () => {},
  };
}

type StreamArguments<W extends Wire> = [
  StreamRequest<W>['operation'],
  StreamRequest<W>['input'],
  AbortSignal,
];
