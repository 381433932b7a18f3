import type { Piece } from './sentence-pieces.ts';

/**
 * The weights as the build packs them: the length of a header, the header as JSON, then every tensor in half precision.
 * Matrices that are multiplied with lie in panels of eight columns, as the kernel reads them.
 */
export interface UseLiteWeights {
  readonly vocabulary: readonly Piece[];
  readonly names: readonly TensorName[];
  /** Half-precision floats as they are in the file. */
  halves(name: TensorName): Uint16Array;
}

export type TensorName = 'pieces' | 'tanh' | 'tanh_bias' | LayerTensorName;
export type LayerTensorName = `layer_${0 | 1}_${LayerTensor}`;
export type LayerTensor =
  | 'residual'
  | 'residual_bias'
  | 'norm_scale'
  | 'norm_bias'
  | 'qkv'
  | 'qkv_bias'
  | 'output'
  | 'output_bias'
  | 'wide_norm_scale'
  | 'wide_norm_bias'
  | 'wide'
  | 'wide_bias'
  | 'narrow'
  | 'narrow_bias';

interface Header {
  readonly format: string;
  readonly vocabulary: readonly Piece[];
  readonly tensors: Readonly<Record<string, readonly [offset: number, length: number]>>;
}

const FORMAT = 'use-lite/1';
const HALF_BYTES = 2;

/** Throws a plain error for anything that is not such a file. */
export function parseUseLite(bytes: Uint8Array<ArrayBuffer>): UseLiteWeights {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerBytes = view.getUint32(0, true);
  const text = new TextDecoder().decode(bytes.subarray(4, 4 + headerBytes));
  const header = JSON.parse(text) as Header;
  if (header.format !== FORMAT) throw new Error(`the model file is not ${FORMAT}`);
  // Copied, because halves must lie at even addresses.
  const data = bytes.slice(4 + headerBytes);

  return {
    vocabulary: header.vocabulary,
    names: Object.keys(header.tensors) as TensorName[],
    halves(name) {
      const place = header.tensors[name];
      if (!place || (place[0] + place[1]) * HALF_BYTES > data.byteLength) {
        throw new Error(`the model file has no whole ${name}`);
      }
      return new Uint16Array(data.buffer, place[0] * HALF_BYTES, place[1]);
    },
  };
}

/** Half precision to single. */
export function widen(halves: Uint16Array, target: Float32Array): void {
  const bits = new Uint32Array(target.buffer, target.byteOffset, target.length);
  for (let index = 0; index < halves.length; index += 1) {
    const half = halves[index] ?? 0;
    const magnitude = half & 0x7fff;
    // The packer writes nothing below the smallest normal number and nothing that is not finite.
    bits[index] = magnitude === 0 ? 0 : ((half & 0x8000) << 16) | ((magnitude << 13) + 0x38000000);
  }
}
