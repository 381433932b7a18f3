import { RuntimeError } from '../errors.ts';
import { MAX_AUDIO_BYTES, MAX_CLIP_MS } from './audio.ts';

/** Refusals in the words of contract 2, with what to do next. */
export function audioTooLarge(): RuntimeError {
  return new RuntimeError('payload_too_large', 'Audio payload exceeds maximum size', {
    details: {
      limit_bytes: MAX_AUDIO_BYTES,
      recovery_action: 'Send a shorter audio clip or reduce audio quality.',
    },
  });
}

export function tooManyAtOnce(): RuntimeError {
  return new RuntimeError('rate_limited', 'Too many requests. Please wait and retry.', {
    details: {
      retry_after_seconds: 2,
      recovery_action: 'Wait a few seconds and retry the same action.',
    },
  });
}

/** `next` is what an operator has to do, as a sentence. */
export function voiceMisconfigured(next: string): RuntimeError {
  return new RuntimeError(
    'provider_misconfigured',
    'Voice providers are not configured correctly',
    { details: { recovery_action: next } },
  );
}

export function notAudio(problem: string): RuntimeError {
  return new RuntimeError('invalid_input', problem, {
    details: { recovery_action: 'Send a recording as WAV, WebM/Opus, Ogg, MP3 or M4A.' },
  });
}

export function clipTooLong(durationMs: number): RuntimeError {
  const [seconds, limit] = [durationMs, MAX_CLIP_MS].map((ms) => Math.round(ms / 1000));
  return new RuntimeError(
    'invalid_input',
    `the recording lasts ${seconds} seconds, and may last ${limit}`,
    { details: { recovery_action: 'Send a shorter audio clip.' } },
  );
}

export function nothingSaid(): RuntimeError {
  return new RuntimeError('invalid_input', 'no speech was heard in the recording', {
    details: { recovery_action: 'Check the microphone and send the recording again.' },
  });
}
