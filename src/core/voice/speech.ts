import type { AudioClip, SpokenAudio } from './audio.ts';

/** Recordings to words and words to recordings, by whatever provider is configured at the moment. */
export interface Speech {
  /** Looks at the bytes before anybody is paid to. Throws `invalid_input` for what is no recording of sound. */
  inspect(bytes: Uint8Array, signal: AbortSignal): Promise<AudioClip>;
  /**
   * As configured now. `voice`: what the provider calls it; its usual one when absent, or when it knows none of that
   * name. Throws `provider_misconfigured` while one of the two could not do its work.
   */
  choose(voice: string | undefined): Promise<ChosenSpeech>;
}

export interface ChosenSpeech {
  readonly transcriber: Transcriber;
  readonly speaker: Speaker;
}

export interface Transcriber {
  /** Empty when nobody speaks. Throws `provider_failed`, and `invalid_input` for a format that it does not know. */
  transcribe(clip: AudioClip, signal: AbortSignal): Promise<string>;
}

export interface Speaker {
  /** Throws `provider_failed`. */
  speak(text: string, signal: AbortSignal): Promise<SpokenAudio>;
}

/** Where spoken answers lie until they are fetched. */
export interface SpokenFiles {
  /** Answers with the name of the file. */
  save(audio: SpokenAudio): Promise<string>;
  /** Undefined for one that is not there, is too old, or has no name of ours. */
  find(name: string): Promise<SpokenFile | undefined>;
}

export interface SpokenFile {
  /** Absolute. */
  readonly path: string;
  readonly mediaType: string;
}
