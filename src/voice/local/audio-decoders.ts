import { AudioSample, CustomAudioDecoder, type EncodedPacket, registerDecoder } from 'mediabunny';
import { MPEGDecoder } from 'mpg123-decoder';
import { OpusDecoder } from 'opus-decoder';

/** What the model hears. */
export const HEARD_RATE = 16_000;

interface Decoded {
  readonly channelData: readonly Float32Array[];
  readonly samplesDecoded: number;
  readonly sampleRate: number;
}

/** Where there are no codecs of a browser, these decode packets; plain samples need none. */
export function registerAudioDecoders(): void {
  registerDecoder(OpusPackets);
  registerDecoder(MpegPackets);
}

class OpusPackets extends CustomAudioDecoder {
  #decoder: OpusDecoder<typeof HEARD_RATE> | undefined;

  static override supports(codec: string): boolean {
    return codec === 'opus';
  }

  override async init(): Promise<void> {
    const { numberOfChannels: channels } = this.config;
    this.#decoder = new OpusDecoder({ sampleRate: HEARD_RATE, channels });
    await this.#decoder.ready;
  }

  override decode({ data, timestamp }: EncodedPacket): void {
    const decoded = this.#decoder?.decodeFrame(data);
    if (decoded) this.onSample(toSample(decoded, timestamp));
  }

  override flush(): void {}

  override close(): void {
    this.#decoder?.free();
  }
}

class MpegPackets extends CustomAudioDecoder {
  readonly #decoder = new MPEGDecoder();

  static override supports(codec: string): boolean {
    return codec === 'mp3';
  }

  override async init(): Promise<void> {
    await this.#decoder.ready;
  }

  override decode({ data, timestamp }: EncodedPacket): void {
    const decoded = this.#decoder.decode(data);
    // The first packets only fill its memory.
    if (decoded.samplesDecoded > 0) this.onSample(toSample(decoded, timestamp));
  }

  override flush(): void {}

  override close(): void {
    this.#decoder.free();
  }
}

function toSample({ channelData, samplesDecoded, sampleRate }: Decoded, timestamp: number) {
  const data = new Float32Array(samplesDecoded * channelData.length);
  channelData.forEach((channel, index) => {
    data.set(channel.subarray(0, samplesDecoded), index * samplesDecoded);
  });
  const numberOfChannels = channelData.length;
  return new AudioSample({ data, format: 'f32-planar', numberOfChannels, sampleRate, timestamp });
}
