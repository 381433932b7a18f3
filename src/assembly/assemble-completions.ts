import type { Closing } from '../closing-list.ts';
import type { LiveConfig } from '../config/live-config.ts';
import { systemClock } from '../core/clock.ts';
import type { Completions } from '../core/completions/completions.ts';
import { createCompletions } from '../core/completions/create-completions.ts';
import { createEmbedTexts, type EmbedTexts } from '../core/completions/embed-texts.ts';
import { createForgottenRuns } from '../core/completions/forgotten-runs.ts';
import type { Seal } from '../core/events/seal.ts';
import type { Ids } from '../core/ids.ts';
import type { Logger } from '../core/log.ts';
import type { Models } from '../core/loop/model.ts';
import type { Runs } from '../core/runs/runs.ts';
import type { Sessions } from '../core/sessions/sessions.ts';
import type { Storage } from '../core/storage.ts';
import type { ToolRegistry } from '../core/tools/registry.ts';
import type { Role } from '../open-storage.ts';
import type { AssembledMemory } from './assemble-memory.ts';

export interface CompletionGround extends Pick<AssembledMemory, 'findEmbedder'> {
  readonly storage: Pick<Storage, 'runs' | 'events' | 'agents'>;
  readonly live: LiveConfig;
  readonly runs: Runs;
  readonly sessions: Pick<Sessions, 'get'>;
  readonly models: Models;
  readonly registry: Pick<ToolRegistry, 'find'>;
  readonly ids: Ids;
  readonly seal: Seal;
  readonly logger: Logger;
  readonly role: Role;
  readonly closing: Closing;
}

export interface CompletionServices {
  /** For callers that keep the conversation themselves. */
  readonly completions: Completions;
  readonly embedTexts: EmbedTexts;
}

export function assembleCompletions(ground: CompletionGround): CompletionServices {
  const { storage, live, runs, sessions, findEmbedder } = ground;
  if (ground.role === 'server') followForgotten(ground);
  return {
    completions: createCompletions({
      ...storage,
      ids: ground.ids,
      seal: ground.seal,
      models: ground.models,
      registry: ground.registry,
      submitting: { runs, sessions },
      reading: runs,
      configuredModels: () => Object.keys(live.current().config.prices),
      embeddingModel: () => findEmbedder()?.model,
      startedAtMs: systemClock.nowMs(),
    }),
    embedTexts: createEmbedTexts(findEmbedder),
  };
}

function followForgotten({ storage, runs, logger, closing }: CompletionGround): void {
  const forgotten = createForgottenRuns({ ...storage, runs, clock: systemClock, logger });
  closing.add(() => forgotten.stop());
  forgotten.start();
}
