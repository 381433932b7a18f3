import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Environment } from '../config/environment.ts';
import { type LoadedConfig, loadConfig } from '../config/load-config.ts';
import { systemClock } from '../core/clock.ts';
import { RuntimeError } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import type { ProjectionSink } from '../core/projection/projection-sink.ts';
import { createProjector, type Projector } from '../core/projection/projector.ts';
import { readProjectionStatus } from '../core/projection/read-projection-status.ts';
import { type RebuildDeps, rebuildProjection } from '../core/projection/rebuild-projection.ts';
import { createRunSource } from '../core/projection/run-source.ts';
import { createWorkerSource } from '../core/projection/worker-source.ts';
import type { Secrets } from '../core/secrets/secrets.ts';
import type { Storage } from '../core/storage.ts';
import { openSecrets } from '../open-secrets.ts';
import { openStorage } from '../open-storage.ts';
import { createFileSink } from '../projection/create-file-sink.ts';
import { createHttpSink } from '../projection/create-http-sink.ts';
import type {
  OpenedProjection,
  ProjectionAccess,
} from '../surfaces/cli/commands/projection/projection-access.ts';

type ProjectedStorage = Pick<Storage, 'runs' | 'events' | 'workers' | 'projections' | 'wakeups'>;

export interface ProjectionGround {
  readonly loaded: LoadedConfig;
  readonly storage: ProjectedStorage;
  readonly secrets: Pick<Secrets, 'find'>;
  readonly logger: Logger;
}

/** Keeps the configured sink behind the log; undefined when there is none. Only a server does that. */
export function assembleProjector(ground: ProjectionGround): Projector | undefined {
  const { loaded, storage, logger } = ground;
  const { projection } = loaded.config;
  const sink = createSink(ground);
  if (sink === undefined) return undefined;
  return createProjector({
    sources: createSources(storage),
    store: storage.projections,
    sink,
    clock: systemClock,
    logger,
    owner: nameWriter(loaded),
    intervalMs: () => projection.interval_ms,
    scanMs: () => projection.scan_ms,
  });
}

/** On the embedded store one server holds the state root: after a crash the next one goes on where it was, at once. */
function nameWriter({ credentials }: LoadedConfig): string {
  return credentials.databaseUrl === undefined ? 'server' : `${process.pid}:${randomUUID()}`;
}

/** For operators, with a server or without one. */
function assembleProjectionAccess(ground: ProjectionGround): ProjectionAccess {
  const { loaded, storage } = ground;
  const store = storage.projections;
  const sources = createSources(storage);
  return {
    sink: loaded.config.projection.sink,
    status: () => readProjectionStatus({ sources, store }),
    rebuild(request, options) {
      const sink = createSink(ground);
      if (sink === undefined) {
        throw new RuntimeError('invalid_input', 'there is no sink: projection.sink is none', {
          details: { hint: 'claw config set projection.sink file' },
        });
      }
      const deps: RebuildDeps = { sources, store, sink, clock: systemClock, ...options };
      return rebuildProjection(deps, request);
    },
  };
}

export interface OpenProjectionOptions {
  readonly root: string;
  readonly env: Environment;
  readonly logger: Logger;
}

/** On the database of a state root, without a runtime around it. Creates nothing where there is none. */
export async function openProjection(options: OpenProjectionOptions): Promise<OpenedProjection> {
  const { root, env, logger } = options;
  const loaded = await loadConfig({ root, env });
  if (loaded.credentials.databaseUrl === undefined && !existsSync(loaded.paths.databaseFile)) {
    return createNoProjection(loaded);
  }
  const storage = await openStorage(loaded, { role: 'local' }, logger);
  try {
    const secrets = await openSecrets(loaded, logger, storage.secretPlace);
    const access = assembleProjectionAccess({ loaded, storage, secrets, logger });
    return { ...access, close: () => storage.close() };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

function createNoProjection({ config }: LoadedConfig): OpenedProjection {
  const health = { failures: 0, error: undefined, failedAtMs: undefined, writer: undefined };
  return {
    sink: config.projection.sink,
    status: async () => ({ projections: [], health }),
    async rebuild() {
      throw new RuntimeError('not_found', 'nothing was ever run here', {
        details: { thing: 'run', hint: 'claw ask, or claw serve, begins' },
      });
    },
    close: async () => {},
  };
}

function createSources(storage: ProjectedStorage) {
  return [createRunSource(storage), createWorkerSource(storage)];
}

function createSink({ loaded, secrets }: ProjectionGround): ProjectionSink | undefined {
  const { sink, url, directory, deploy_key_secret, ...settings } = loaded.config.projection;
  if (sink === 'none') return undefined;
  if (sink === 'file') return createFileSink(resolve(loaded.paths.root, directory));
  if (url === undefined) throw new RuntimeError('config_invalid', 'projection.url is not set');
  return createHttpSink({
    url,
    timeoutMs: settings.timeout_ms,
    mutations: {
      run_summary: settings.run_mutation,
      codex_worker_summary: settings.worker_mutation,
    },
    findDeployKey: () => secrets.find(deploy_key_secret),
  });
}
