import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Closing } from '../closing-list.ts';
import type { LiveConfig } from '../config/live-config.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { systemClock } from '../core/clock.ts';
import type { SwitchWatch } from '../core/kill-switch/kill-switch.ts';
import type { Logger } from '../core/log.ts';
import { type ConfiguredEmbedder, wrongDimensions } from '../core/memory/embedding-pass.ts';
import { createEmbeddingQueue, type EmbeddingQueue } from '../core/memory/embedding-queue.ts';
import type { IndexChange } from '../core/memory/memory-index.ts';
import type { MemoryChange } from '../core/memory/memory-store.ts';
import { withoutSpeaker } from '../core/memory/ranking/speakers.ts';
import type { EmbedQuery } from '../core/memory/search-memories.ts';
import type { Secrets } from '../core/secrets/secrets.ts';
import type { Storage } from '../core/storage.ts';
import {
  type EmbedderDeps,
  type EmbedderSettings,
  nameModel,
  type OpenedEmbedder,
  openEmbedder,
} from '../embeddings/open-embedder.ts';
import type { FindProviderKey } from '../providers/models-config.ts';
import { createKeyFinder, findProviderKey, requireProviderKey } from '../providers/provider-key.ts';
import { toGivenKeys } from './assemble-models.ts';

export interface EmbeddingGround {
  readonly live: LiveConfig;
  readonly storage: Pick<Storage, 'memories' | 'vectors'>;
  readonly secrets: Pick<Secrets, 'find'>;
  readonly killSwitch: Pick<SwitchWatch, 'assertOff'>;
  readonly logger: Logger;
  readonly closing: Closing;
}

/** What memories need of the embedder that the configuration names now. */
export interface AssembledEmbeddings {
  /** Not started: only a server does that. */
  readonly queue: EmbeddingQueue;
  /** Undefined when none is configured. */
  model(): string | undefined;
  embedQuery(): EmbedQuery | undefined;
  /** For whoever has texts of its own. */
  configured(): ConfiguredEmbedder | undefined;
  /** Changes as an index wants them, with the vectors of that model. */
  toIndexChanges(changes: readonly MemoryChange[]): Promise<IndexChange[]>;
}

/** Texts to vectors. Nothing is loaded before there is a text. */
export function assembleEmbeddings(ground: EmbeddingGround): AssembledEmbeddings {
  const { live, storage, logger, closing } = ground;
  const configured = createConfigured(ground);
  const queue = createEmbeddingQueue({
    store: storage.vectors,
    memories: storage.memories,
    configured: configured.current,
    toText: withoutSpeaker,
    owner: nameNode(live.current()),
    clock: systemClock,
    logger,
  });
  closing.add(async () => {
    await queue.stop();
    await configured.close();
  });
  const model = () => configured.current()?.model;
  return {
    queue,
    model,
    configured: configured.current,
    embedQuery() {
      const embedder = configured.current();
      if (!embedder) return undefined;
      return async (texts, signal) => {
        const [place, opened] = await Promise.all([
          storage.vectors.findPlace(embedder.model),
          embedder.open(),
        ]);
        const vectors = await opened.embed(texts, 'query', signal);
        const { dimensions = 0 } = place ?? {};
        // They could not be compared with what is stored, and nobody would notice.
        if (dimensions > 0 && vectors.some(({ length }) => length !== dimensions))
          throw wrongDimensions(embedder.model, dimensions);
        return vectors;
      };
    },
    async toIndexChanges(changes) {
      const name = model();
      const ids = changes.flatMap((one) => (one.change === 'put' ? [one.memory.id] : []));
      const found = name === undefined ? undefined : await storage.vectors.findVectors(name, ids);
      return changes.map((one) =>
        one.change === 'put'
          ? { change: 'put', memory: { ...one.memory, vectors: found?.get(one.memory.id) ?? [] } }
          : { change: 'remove', id: one.id },
      );
    },
  };
}

/** On the embedded store one server holds the state root: after a crash the next one goes on where it was, at once. */
function nameNode({ credentials }: LoadedConfig): string {
  return credentials.databaseUrl === undefined ? 'server' : `${process.pid}:${randomUUID()}`;
}

/** Follows the configuration: another one closes the embedder that was open. */
function createConfigured({ live, secrets, logger, killSwitch }: EmbeddingGround) {
  const keys = createKeyFinder({ given: () => toGivenKeys(live.current()), secrets });
  const deps = {
    ...{ clock: systemClock, logger, findKey: createServiceKeys(keys) },
    assertMayCall: () => killSwitch.assertOff(),
  };
  let known: { settings: EmbedderSettings; opened?: Promise<OpenedEmbedder> } | undefined;

  async function close(): Promise<void> {
    const opened = known?.opened;
    known = undefined;
    await (await opened?.catch(() => undefined))?.close();
  }

  function current(): ConfiguredEmbedder | undefined {
    const settings = toSettings(live.current());
    if (!isDeepStrictEqual(known?.settings, settings)) void close();
    if (settings === undefined) return undefined;
    known ??= { settings };
    const mine = known;
    return {
      model: nameModel(settings),
      async open() {
        mine.opened ??= openEmbedder(settings, deps);
        return (await mine.opened).embedder;
      },
    };
  }

  return { current, close };
}

function createServiceKeys(keys: FindProviderKey): EmbedderDeps['findKey'] {
  return async (provider) => {
    if (provider === 'ollama') return undefined;
    // Local servers often want none.
    if (provider === 'openai_compatible') return findProviderKey('openai-compatible', { keys });
    return requireProviderKey(provider, { keys });
  };
}

function toSettings({ config }: LoadedConfig): EmbedderSettings | undefined {
  const { provider, model, base_url: baseUrl, ...times } = config.memory.embedding;
  if (provider === 'none') return undefined;
  if (provider === 'local') return { provider, idleMs: times.idle_ms };
  return {
    provider,
    modelName: model ?? undefined,
    baseUrl: baseUrl ?? config.providers[provider].base_url,
    timeoutMs: times.timeout_ms,
  };
}
