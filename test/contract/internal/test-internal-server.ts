import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { createIds } from '../../../src/core/create-ids.ts';
import type { RunId } from '../../../src/core/ids.ts';
import { silentLogger } from '../../../src/core/log.ts';
import type { Model } from '../../../src/core/loop/model.ts';
import type { Tool } from '../../../src/core/tools/tool.ts';
import type { Script } from '../../../src/providers/scripted/script.ts';
import { createScriptedModel } from '../../../src/providers/scripted/scripted-model.ts';
import { encodeDottedError } from '../../../src/surfaces/http/answers/dotted-errors.ts';
import { createHttpServer } from '../../../src/surfaces/http/create-http-server.ts';
import { DEFAULT_HTTP_CONFIG, type HttpConfig } from '../../../src/surfaces/http/http-config.ts';
import { createRateLimiter } from '../../../src/surfaces/http/rate-limiter.ts';
import type { Surface } from '../../../src/surfaces/http/surface.ts';
import {
  createInternalSurface,
  type InternalDeps,
} from '../../../src/surfaces/internal/create-internal-surface.ts';
import {
  createSignatureAuth,
  type SignatureSecrets,
} from '../../../src/surfaces/internal/signature-auth.ts';
import { openTestRuntime, type TestRuntime } from '../../support/open-test-runtime.ts';
import { createSignedClient, SECRET, type SignedClient } from './signed-client.ts';

export interface InternalServer extends SignedClient {
  readonly url: string;
  readonly port: number;
  readonly surface: Surface;
  readonly runtime: TestRuntime;
}

export interface InternalServerOptions {
  /** The steps of the scripted model; or a model of the test's own. */
  readonly steps?: Script['steps'];
  readonly model?: Model;
  readonly tools?: readonly Tool[];
  /** As in `config.json`. */
  readonly config?: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly http?: Partial<HttpConfig>;
  readonly secrets?: Partial<SignatureSecrets>;
  readonly maxFailures?: number;
  readonly clock?: { nowMs(): number };
  /** Parts of a test's own, made from the runtime and in place of those it brings. */
  readonly deps?: (runtime: TestRuntime) => Partial<InternalDeps> | Promise<Partial<InternalDeps>>;
}

/** `/internal/v1`, listening, over a whole runtime on a temporary state root with a scripted model. */
export async function openInternalServer(
  options: InternalServerOptions = {},
): Promise<InternalServer> {
  const { steps = [], tools, config, env } = options;
  const runtime = await openTestRuntime(options.model ?? createScriptedModel({ steps }), {
    ...(tools === undefined ? {} : { tools }),
    ...(config === undefined ? {} : { config }),
    ...(env === undefined ? {} : { env }),
  });
  onTestFinished(() => runtime.dispose());
  const surface = createInternalSurface({
    ...runtime,
    runs: runtime.runs,
    ping: () => runtime.storage.ping(),
    version: '0.0.0-test',
    auth: createAuth(options, runtime),
    ...(await options.deps?.(runtime)),
  } as InternalDeps);
  const http = createHttpServer({
    config: { ...DEFAULT_HTTP_CONFIG, port: 0, ...options.http },
    logger: silentLogger,
    clock: systemClock,
    ids: createIds(() => Date.now()),
    encodeError: encodeDottedError,
    info: { title: 'Pincer', version: '0.0.0-test', description: 'A test server.' },
    surfaces: [surface],
  });
  const address = await http.listen();
  onTestFinished(() => http.close(1000));
  return { ...address, ...createSignedClient(address.port), surface, runtime };
}

function createAuth(options: InternalServerOptions, { storage }: TestRuntime) {
  const clock = options.clock ?? systemClock;
  return createSignatureAuth({
    secrets: () => ({ single: SECRET, byKeyId: new Map(), ...options.secrets }),
    nonces: storage.nonces,
    failures: createRateLimiter({
      max: options.maxFailures ?? 1000,
      windowMs: 60_000,
      maxKeys: 100,
      nowMs: () => clock.nowMs(),
    }),
    clock,
  });
}

/** A run of thread `thread_1` that waits for its first frame. */
export async function createRun(
  server: InternalServer,
  runId: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<RunId> {
  const body = { run_id: runId, thread_id: 'thread_1', ...fields };
  const { status, text } = await server.post('/runs', body);
  if (status !== 201) throw new Error(`run ${runId} was not created: ${status} ${text}`);
  return runId as RunId;
}
