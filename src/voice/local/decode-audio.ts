import { type OggVorbisDecodedAudio, OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { type AudioSample, AudioSampleSink } from 'mediabunny';
import waveResampler from 'wave-resampler';
import { MAX_CLIP_MS } from '../../core/voice/audio.ts';
import { HEARD_RATE, registerAudioDecoders } from './audio-decoders.ts';
import { type OpenedAudio, openAudio } from './open-audio.ts';
import { Refusal } from './refusal.ts';

interface Sound {
  readonly samples: Float32Array;
  readonly rate: number;
}

/** Headers may say less than there is. */
const MAX_SECONDS = MAX_CLIP_MS / 1000 + 1;

registerAudioDecoders();

/** One channel at the rate that the model hears. Throws a `Refusal` for what this machine can't decode. */
export async function decodeAudio(bytes: Uint8Array): Promise<Float32Array> {
  const audio = await openAudio(bytes);
  const { codec } = audio.track;
  if (codec === 'aac') throw undecodable('AAC, as in M4A');
  const isVorbis = codec === 'vorbis';
  if (isVorbis && audio.format !== 'ogg') throw undecodable('Vorbis in WebM');
  const sound = isVorbis ? await decodeVorbis(bytes) : await decodeTrack(audio);
  if (sound.samples.length === 0) throw new Refusal('there is no sound in the recording');
  return sound.rate === HEARD_RATE ? sound.samples : resample(sound);
}

async function decodeTrack({ track }: OpenedAudio): Promise<Sound> {
  async function* decode(): AsyncGenerator<Sound> {
    for await (const sample of new AudioSampleSink(track).samples()) {
      const samples = toMono(sample);
      sample.close();
      yield { samples, rate: sample.sampleRate };
    }
  }
  return gather(decode(), 'the recording is damaged, or in a codec that is not known here');
}

/** As many bytes at a time as one page of the emptiest packets has: it swells to two minutes at most, a whole file to days. */
const VORBIS_CHUNK_BYTES = 512;

async function decodeVorbis(bytes: Uint8Array): Promise<Sound> {
  const decoder = new OggVorbisDecoder();
  await decoder.ready;

  async function* decode(): AsyncGenerator<Sound> {
    for (let at = 0; at < bytes.length; at += VORBIS_CHUNK_BYTES) {
      yield toSound(await decoder.decode(bytes.subarray(at, at + VORBIS_CHUNK_BYTES)));
    }
    yield toSound(await decoder.flush());
  }

  try {
    return await gather(decode(), 'the recording is damaged');
  } finally {
    decoder.free();
  }
}

function toSound({ channelData, sampleRate: rate }: OggVorbisDecodedAudio): Sound {
  return { samples: mix(channelData), rate };
}

/** Joins what a decoder makes piece by piece, and asks for no more than may be heard: bytes say little about seconds. */
async function gather(pieces: AsyncIterable<Sound>, damage: string): Promise<Sound> {
  const parts: Float32Array[] = [];
  let rate = HEARD_RATE;
  let seconds = 0;
  try {
    for await (const piece of pieces) {
      if (piece.samples.length === 0) continue;
      rate = piece.rate;
      seconds += piece.samples.length / rate;
      if (seconds > MAX_SECONDS) throw tooLong();
      parts.push(piece.samples);
    }
  } catch (thrown) {
    throw thrown instanceof Refusal ? thrown : new Refusal(damage);
  }
  return { samples: join(parts), rate };
}

function toMono(sample: AudioSample): Float32Array {
  const channels = Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
    const channel = new Float32Array(sample.numberOfFrames);
    sample.copyTo(channel, { planeIndex, format: 'f32-planar' });
    return channel;
  });
  return mix(channels);
}

function mix(channels: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array(0), ...others] = channels;
  if (others.length === 0) return first;
  return first.map(
    (value, at) =>
      others.reduce((sum, channel) => sum + (channel[at] ?? 0), value) / channels.length,
  );
}

function join(parts: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function resample({ samples, rate }: Sound): Float32Array {
  return Float32Array.from(waveResampler.resample(samples, rate, HEARD_RATE));
}

function tooLong(): Refusal {
  return new Refusal(
    `the recording goes on after ${MAX_CLIP_MS / 1000} seconds, which is as long as one may last`,
  );
}

function undecodable(what: string): Refusal {
  return new Refusal(
    `local speech recognition can't decode ${what}: send WAV, WebM or Ogg with Opus, Ogg Vorbis or MP3`,
  );
}
