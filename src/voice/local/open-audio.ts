import {
  BufferSource,
  Input,
  type InputAudioTrack,
  type InputFormat,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny';
import { AUDIO_FORMATS, type AudioFormat } from '../../core/voice/audio.ts';
import { Refusal } from './refusal.ts';

/** A recording, read as far as its container says what is in it. */
export interface OpenedAudio {
  readonly format: AudioFormat;
  readonly durationMs: number;
  readonly track: InputAudioTrack;
}

const CONTAINERS = new Map<InputFormat, AudioFormat>([
  [WAVE, 'wav'],
  [WEBM, 'webm'],
  [MATROSKA, 'webm'],
  [OGG, 'ogg'],
  [MP3, 'mp3'],
  [MP4, 'm4a'],
  [QTFF, 'm4a'],
]);

/** Telephones and studios. What says otherwise has a header that lies. */
const MIN_RATE = 8_000;
const MAX_RATE = 192_000;
const MAX_CHANNELS = 8;

/** Throws a `Refusal` for what is no recording of sound, whatever it says it is. */
export async function openAudio(bytes: Uint8Array): Promise<OpenedAudio> {
  const input = new Input({ source: new BufferSource(bytes), formats: [...CONTAINERS.keys()] });
  const format = CONTAINERS.get(await understand(input.getFormat()));
  if (format === undefined) throw notSound();
  const { name } = AUDIO_FORMATS[format];
  if ((await understand(input.getPrimaryVideoTrack())) !== null) {
    throw new Refusal('this is a video, not a recording of sound');
  }
  const track = await understand(input.getPrimaryAudioTrack());
  if (track === null || track.codec === null)
    throw new Refusal(`there is no sound in this ${name} file`);
  assertPlausible(track, name);
  const durationMs = Math.round((await understand(track.computeDuration())) * 1000);
  if (!(durationMs > 0)) throw new Refusal(`there is no sound in this ${name} file`);
  return { format, durationMs, track };
}

function assertPlausible({ sampleRate, numberOfChannels }: InputAudioTrack, name: string): void {
  const isRate = sampleRate >= MIN_RATE && sampleRate <= MAX_RATE;
  const isCount = numberOfChannels >= 1 && numberOfChannels <= MAX_CHANNELS;
  if (isRate && isCount) return;
  throw new Refusal(
    `the header of this ${name} file can't be right: ${numberOfChannels} channels at ${sampleRate} Hz`,
  );
}

/** Whatever a reader of containers throws, it throws about the bytes. */
async function understand<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch {
    throw notSound();
  }
}

function notSound(): Refusal {
  return new Refusal('the bytes are no audio that can be read');
}
