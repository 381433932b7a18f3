import type { AudioClip, SpokenAudio } from '../../../../core/voice/audio.ts';

/** Speech of a state root, without a runtime around it. */
export interface LocalVoice {
  /** Brings what local speech needs, or finds that all of it is there. */
  install(options: InstallOptions): Promise<InstalledVoice>;
  status(): Promise<VoiceStatus>;
  listen(bytes: Uint8Array, signal: AbortSignal): Promise<HeardClip>;
  speak(text: string, voice: string | undefined, signal: AbortSignal): Promise<SpokenAudio>;
  close(): Promise<void>;
}

interface InstallOptions {
  readonly signal: AbortSignal;
  onStep(step: {
    readonly package: string;
    readonly no: number;
    readonly count: number;
    readonly bytes: number;
  }): void;
}

export interface InstalledVoice {
  /** False: all of it was there, and whole. */
  readonly isNew: boolean;
  /** Absolute. */
  readonly folder: string;
}

export interface VoiceStatus {
  readonly stt: ProviderStatus;
  readonly tts: ProviderStatus;
  readonly local: { readonly state: string; readonly folder: string };
}

export interface ProviderStatus {
  readonly provider: string;
  /** What an operator has to do before it works; undefined when nothing is missing. */
  readonly nextStep: string | undefined;
}

export interface HeardClip extends Pick<AudioClip, 'format' | 'durationMs'> {
  readonly transcript: string;
}
