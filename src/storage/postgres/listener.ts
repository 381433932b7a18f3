import type { Client, Notification } from 'pg';
import { backoffMs } from '../../core/backoff.ts';
import { systemClock } from '../../core/clock.ts';
import type { RuntimeError } from '../../core/errors.ts';
import type { Topic } from '../../core/events/event-log.ts';
import type { RunId, WorkerId } from '../../core/ids.ts';
import type { Logger } from '../../core/log.ts';
import { workerTopic } from '../../core/workers/worker-store.ts';
import { connectionConfig, loadDriver } from './connect-pool.ts';
import { REPEAT } from './database.ts';
import { toStorageFault } from './faults.ts';
import { holdNode } from './node-lock.ts';
import { QUEUE_CHANNEL, RUN_CHANNEL, WORKER_CHANNEL } from './runs/save-batch.ts';
import { SECRET_CHANNEL } from './secret-place.ts';

/** A silent connection may be dead: a firewall that forgot it tells nobody. */
const PROBE_INTERVAL_MS = 5_000;
/** While nobody listens, waiters look by themselves this often. */
const POLL_INTERVAL_MS = 1_000;

export interface ListenerOptions {
  readonly url: string;
  readonly logger: Logger;
  /** Notifications from here are known already. */
  readonly isOwnBackend: (processId: number) => boolean;
  readonly wake: (runIds: readonly RunId[], queueTouched: boolean) => void;
  readonly wakeTopic: (topic: Topic) => void;
  /** Notifications may have been lost: everybody looks. */
  readonly wakeAll: () => void;
  /** The node whose name this connection holds, against other servers. */
  readonly holds?: string | undefined;
}

export interface Listener {
  /** That another server has the name of this node now; undefined while none is known to. */
  readonly nodeTaken: RuntimeError | undefined;
  close(): Promise<void>;
}

/** One connection that listens for the other nodes' commits, and comes back when it is lost. */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const closing = new AbortController();
  const state: ListenerState = { nodeTaken: undefined };
  const first = await connect(options);
  const done = keepListening({ ...options, state }, first, closing.signal);
  return {
    get nodeTaken() {
      return state.nodeTaken;
    },
    close: async () => {
      closing.abort();
      await done;
    },
  };
}

interface ListenerState {
  nodeTaken: RuntimeError | undefined;
}

type Keeping = ListenerOptions & { readonly state: ListenerState };

async function keepListening(options: Keeping, first: Client, signal: AbortSignal): Promise<void> {
  let client: Client | undefined = first;
  while (client) {
    await listenUntilLost(client, signal);
    client = signal.aborted ? undefined : await reconnect(options, signal);
  }
}

/** Ends when the connection is lost or the storage closes; the connection is closed then. */
async function listenUntilLost(client: Client, signal: AbortSignal): Promise<void> {
  const lost = new AbortController();
  const onLost = () => lost.abort();
  client.once('end', onLost);
  client.on('error', onLost);
  signal.addEventListener('abort', onLost, { once: true });
  if (signal.aborted) onLost();
  while (!lost.signal.aborted) {
    await systemClock.sleep(PROBE_INTERVAL_MS, lost.signal);
    if (!lost.signal.aborted) await client.query('select 1').catch(onLost);
  }
  signal.removeEventListener('abort', onLost);
  await client.end().catch(() => {});
}

async function reconnect(options: Keeping, signal: AbortSignal): Promise<Client | undefined> {
  options.logger.warn({}, 'postgres listener lost, reconnecting');
  const polling = setInterval(options.wakeAll, POLL_INTERVAL_MS);
  try {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      await systemClock.sleep(backoffMs(REPEAT, attempt), signal);
      if (signal.aborted) return undefined;
      const client = await connect(options, signal).catch((thrown: unknown) => {
        noteFault(options, attempt, toStorageFault(thrown));
        return undefined;
      });
      if (!client) continue;
      options.state.nodeTaken = undefined;
      options.logger.info({ attempt }, 'postgres listener reconnected');
      options.wakeAll();
      return client;
    }
    return undefined;
  } finally {
    clearInterval(polling);
  }
}

function noteFault({ logger, state }: Keeping, attempt: number, fault: RuntimeError): void {
  logger.debug({ attempt, reason: fault.message }, 'still no listener');
  if (fault.code !== 'conflict') return;
  if (!state.nodeTaken) logger.error({}, `takes no more runs: ${fault.message}`);
  state.nodeTaken = fault;
}

async function connect(options: ListenerOptions, signal?: AbortSignal): Promise<Client> {
  const driver = await loadDriver();
  const client = new driver.Client(connectionConfig(driver, options.url));
  client.on('error', () => {});
  client.on('notification', (notification) => receive(options, notification));
  try {
    await client.connect();
    if (options.holds !== undefined) await holdNode(client, options.holds, signal);
    const channels = [RUN_CHANNEL, QUEUE_CHANNEL, WORKER_CHANNEL, SECRET_CHANNEL];
    await client.query(channels.map((channel) => `listen ${channel}`).join('; '));
    return client;
  } catch (thrown) {
    await client.end().catch(() => {});
    throw toStorageFault(thrown);
  }
}

function receive(options: ListenerOptions, { processId, channel, payload }: Notification): void {
  if (options.isOwnBackend(processId)) return;
  if (channel === QUEUE_CHANNEL) options.wake([], true);
  else if (channel === SECRET_CHANNEL) options.wakeTopic('secrets');
  else if (payload === undefined) return;
  else if (channel === WORKER_CHANNEL) options.wakeTopic(workerTopic(payload as WorkerId));
  else options.wake([payload as RunId], false);
}
