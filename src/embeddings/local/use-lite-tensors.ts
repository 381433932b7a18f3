import { createMatmulKernel, type MatmulKernel } from './matmul-kernel.ts';
import { type LayerTensor, type TensorName, type UseLiteWeights, widen } from './use-lite-file.ts';

/** Floats in the memory of the kernel. */
export interface Floats {
  /** In bytes. */
  readonly at: number;
  readonly values: Float32Array;
}

export interface Layer {
  readonly inputWidth: number;
  tensor(name: LayerTensor): Floats;
}

/** The weights, ready to be multiplied with, and room for what is computed. */
export interface UseLiteTensors {
  readonly kernel: MatmulKernel;
  readonly layers: readonly Layer[];
  tensor(name: TensorName): Floats;
  /** Rooms for so many rows of each width. */
  readonly rooms: Readonly<Record<Room, Floats>>;
}

type Room = 'input' | 'state' | 'normed' | 'qkv' | 'attended' | 'wide';

/** Of a piece of text. */
export const PIECE_WIDTH = 256;
/** Of everything after the first layer, the answer included. */
export const WIDTH = 512;
/** Between the two halves of a layer's second step. */
export const WIDE = 1536;
/** Pieces that go through the layers together: enough to keep the kernel busy, few enough to stay in the cache. */
export const MAX_ROWS = 256;

const ROOM_WIDTHS = {
  input: PIECE_WIDTH,
  state: WIDTH,
  normed: WIDTH,
  qkv: WIDE,
  attended: WIDTH,
  wide: WIDE,
} as const satisfies Record<Room, number>;

const FLOAT_BYTES = 4;

export function loadUseLiteTensors(weights: UseLiteWeights): UseLiteTensors {
  // Pieces stay as they are: of eight thousand only a few are needed at a time.
  const names = weights.names.filter((name) => name !== 'pieces');
  const weightFloats = names.reduce((sum, name) => sum + weights.halves(name).length, 0);
  const roomFloats = Object.values(ROOM_WIDTHS).reduce((sum, width) => sum + width * MAX_ROWS, 0);
  const kernel = createMatmulKernel((weightFloats + roomFloats) * FLOAT_BYTES);

  let next = 0;
  function allocate(length: number): Floats {
    const at = next;
    next += length * FLOAT_BYTES;
    return { at, values: new Float32Array(kernel.memory, at, length) };
  }

  function load(name: TensorName): Floats {
    const halves = weights.halves(name);
    const floats = allocate(halves.length);
    widen(halves, floats.values);
    return floats;
  }

  const tensors = new Map<TensorName, Floats>(names.map((name) => [name, load(name)]));
  const tensor = (name: TensorName) => tensors.get(name) ?? missing(name);
  const room = (name: Room) => allocate(ROOM_WIDTHS[name] * MAX_ROWS);
  return {
    kernel,
    tensor,
    layers: [
      { inputWidth: PIECE_WIDTH, tensor: (name) => tensor(`layer_0_${name}`) },
      { inputWidth: WIDTH, tensor: (name) => tensor(`layer_1_${name}`) },
    ],
    rooms: {
      input: room('input'),
      state: room('state'),
      normed: room('normed'),
      qkv: room('qkv'),
      attended: room('attended'),
      wide: room('wide'),
    },
  };
}

function missing(name: string): never {
  throw new Error(`the model file has no ${name}`);
}
