/** The containers that a recording may come in. */
export const AUDIO_FORMATS = {
  wav: { name: 'WAV', mediaType: 'audio/wav' },
  webm: { name: 'WebM', mediaType: 'audio/webm' },
  ogg: { name: 'Ogg', mediaType: 'audio/ogg' },
  mp3: { name: 'MP3', mediaType: 'audio/mpeg' },
  m4a: { name: 'M4A', mediaType: 'audio/mp4' },
} as const;

export type AudioFormat = keyof typeof AUDIO_FORMATS;

/** A recording whose bytes are known to be what they say. */
export interface AudioClip {
  readonly bytes: Uint8Array;
  readonly format: AudioFormat;
  readonly durationMs: number;
}

/** What was made of a text. */
export interface SpokenAudio {
  readonly bytes: Uint8Array;
  readonly format: 'mp3' | 'wav';
}

/** Of a recording, decoded from whatever it travelled in. */
export const MAX_AUDIO_BYTES = 512_000;
/** Ten minutes of whispered Opus fit into the bytes above; what somebody says to an agent does not take that long. */
export const MAX_CLIP_MS = 120_000;
