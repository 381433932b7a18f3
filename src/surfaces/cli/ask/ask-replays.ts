import { createReplays } from '../../../core/replay/replays.ts';
import { runNotFound } from '../../../core/runs/run-not-found.ts';
import type { ForkWriting, ReplayReading } from '../../../operations/runs/replays.ts';
import { askAt } from './ask-runtime.ts';
import { fromRuntime, fromStore } from './place.ts';

const NO_REPLAYS: ReplayReading['replays'] = {
  replay: async (id) => {
    throw runNotFound(id);
  },
  diff: async (left) => {
    throw runNotFound(left);
  },
};

export const askReplays = askAt<ReplayReading, ForkWriting>({
  read: fromStore((store) => ({ replays: store ? createReplays(store) : NO_REPLAYS })),
  write: fromRuntime(({ replays, forks }) => ({ replays, forks, source: 'cli' as const })),
});
