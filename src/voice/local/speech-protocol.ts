import type { AudioFormat } from '../../core/voice/audio.ts';

/** Between us and the thread: one job is under way at a time, so answers need no number. */
export type SpeechJob =
  | { readonly kind: 'inspect'; readonly bytes: Uint8Array }
  | { readonly kind: 'transcribe'; readonly bytes: Uint8Array }
  | { readonly kind: 'speak'; readonly text: string; readonly voice: string | undefined };

export interface SpeechResults {
  readonly inspect: { readonly format: AudioFormat; readonly durationMs: number };
  readonly transcribe: string;
  /** A WAV file. */
  readonly speak: Uint8Array;
}

/** `refused`: the job itself is at fault, and the text is for whoever sent it. */
export type SpeechAnswer =
  | { readonly outcome: 'done'; readonly value: SpeechResults[SpeechJob['kind']] }
  | { readonly outcome: 'refused' | 'failed'; readonly problem: string };

/** Where the parts that `claw voice install` brings are. */
export interface SpeechThreadData {
  readonly folder: string;
}
