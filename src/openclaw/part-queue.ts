import type { ModelPart } from '../core/loop/model.ts';

/** Between a socket that brings what it likes and a run that takes it at its own pace. */
export interface PartQueue {
  /** Dropped when too many wait: texts are repeated as a whole at the end, and steps are for information. */
  add(part: ModelPart): void;
  /** The last part. */
  end(part: ModelPart): void;
  fail(thrown: unknown): void;
  /** What is in it, until it ended or failed. */
  drain(): AsyncGenerator<ModelPart>;
}

const MAX_WAITING = 1_000;

export function createPartQueue(): PartQueue {
  let waiting: ModelPart[] = [];
  let failure: { readonly thrown: unknown } | undefined;
  let isEnded = false;
  let wake = () => {};

  function close(): boolean {
    const isOpen = !isEnded;
    isEnded = true;
    return isOpen;
  }

  return {
    add(part) {
      if (isEnded) return;
      const last = waiting.at(-1);
      if (part.type === 'text' && last?.type === 'text') {
        waiting[waiting.length - 1] = { type: 'text', delta: last.delta + part.delta };
      } else if (waiting.length < MAX_WAITING) waiting.push(part);
      wake();
    },
    end(part) {
      if (!close()) return;
      waiting.push(part);
      wake();
    },
    fail(thrown) {
      if (!close()) return;
      failure = { thrown };
      wake();
    },
    async *drain() {
      for (;;) {
        const taken = waiting;
        waiting = [];
        yield* taken;
        if (waiting.length > 0) continue;
        if (failure) throw failure.thrown;
        if (isEnded) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
