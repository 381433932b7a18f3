import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { type AudioClip, MAX_CLIP_MS } from '../../core/voice/audio.ts';
import type { Speaker, Transcriber } from '../../core/voice/speech.ts';
import { clipTooLong, notAudio } from '../../core/voice/voice-errors.ts';
import { findPackageRoot } from '../../platform/package-root.ts';
import { createJobThread, type Done } from './job-thread.ts';

export interface LocalSpeechConfig {
  /** Where `claw voice install` puts the models. */
  readonly folder: string;
  readonly idleMs: () => number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What this machine does about speech by itself. Threads start with work and end without. */
export interface LocalSpeech {
  /** Needs no models. Throws `invalid_input`. */
  inspect(bytes: Uint8Array, signal: AbortSignal): Promise<AudioClip>;
  readonly transcriber: Transcriber;
  createSpeaker(voice: string | undefined): Speaker;
  close(): Promise<void>;
}

/** Looking at half a megabyte takes milliseconds, and starting the thread a moment. */
const INSPECT_TIMEOUT_MS = 20_000;
/** Two minutes of speech on a slow machine that has other things to do. */
const SPEECH_TIMEOUT_MS = 240_000;

export function createLocalSpeech(config: LocalSpeechConfig): LocalSpeech {
  const entry = findEntry();
  // Who only sends a recording on does not wait behind one that is being heard here.
  const looking = createJobThread({
    ...config,
    entry,
    name: 'audio',
    jobTimeoutMs: INSPECT_TIMEOUT_MS,
  });
  const speaking = createJobThread({
    ...config,
    entry,
    name: 'speech',
    jobTimeoutMs: SPEECH_TIMEOUT_MS,
  });
  return {
    async inspect(bytes, signal) {
      const seen = take(await looking.run({ kind: 'inspect', bytes }, signal));
      if (seen.durationMs > MAX_CLIP_MS) throw clipTooLong(seen.durationMs);
      return { bytes, ...seen };
    },
    transcriber: {
      transcribe: async ({ bytes }, signal) =>
        take(await speaking.run({ kind: 'transcribe', bytes }, signal)),
    },
    createSpeaker: (voice) => ({
      async speak(text, signal) {
        const bytes = take(await speaking.run({ kind: 'speak', text, voice }, signal));
        return { bytes, format: 'wav' };
      },
    }),
    async close() {
      await Promise.all([looking.close(), speaking.close()]);
    },
  };
}

function take<Value>(done: Done<Value>): Value {
  if (done.outcome === 'done') return done.value;
  throw notAudio(done.problem);
}

function findEntry(): string {
  const path = join(findPackageRoot(), 'dist', 'speech-thread.cjs');
  if (existsSync(path)) return path;
  throw new RuntimeError(
    'internal',
    'the installation is incomplete: speech-thread.cjs is missing; install pincer again, or run npm run build in a clone',
  );
}
