import { answerAloud, type VoiceDeps } from './answer-aloud.ts';
import type { SpokenFile } from './speech.ts';
import { tooManyAtOnce } from './voice-errors.ts';
import type { VoiceRequest, VoiceStep } from './voice-request.ts';

/** Agents that are spoken to, and speak. */
export interface Voice {
  /**
   * What happens to a recording, step by step: heard, answered, read out. Throws what stands in the way of the next
   * step. A run that was begun goes on without whoever stopped listening.
   */
  process(request: VoiceRequest, signal: AbortSignal): AsyncGenerator<VoiceStep>;
  findSpoken(name: string): Promise<SpokenFile | undefined>;
}

/** Each holds half a megabyte, and for a moment the speech that is made of the answer. */
const MAX_AT_ONCE = 16;

export function createVoice(deps: VoiceDeps): Voice {
  let atWork = 0;
  return {
    async *process(request, signal) {
      if (atWork >= MAX_AT_ONCE) throw tooManyAtOnce();
      atWork += 1;
      try {
        yield* answerAloud(deps, request, signal);
      } finally {
        atWork -= 1;
      }
    },

    findSpoken: (name) => deps.files.find(name),
  };
}
