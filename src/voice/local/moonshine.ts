import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import llamaTokenizer from 'llama-tokenizer-js';
import { HEARD_RATE } from './audio-decoders.ts';
import { cutAtPauses } from './cut-at-pauses.ts';

/** Moonshine-tiny: English speech to text. */
export interface Moonshine {
  /** One channel at `HEARD_RATE`. */
  transcribe(samples: Float32Array): Promise<string>;
}

/** The part of the runtime that is used. */
interface Onnx {
  readonly env: {
    readonly wasm: { numThreads: number; wasmPaths: string; wasmBinary: Uint8Array };
  };
  readonly InferenceSession: { create(model: Uint8Array): Promise<Session> };
  readonly Tensor: new (
    type: 'float32' | 'int64' | 'bool',
    data: Float32Array | BigInt64Array | boolean[],
    dims: number[],
  ) => Tensor;
}

interface Session {
  run(input: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
}

interface Tensor {
  readonly data: Float32Array;
}

const LAYERS = 6;
const HEADS = 8;
const HEAD_WIDTH = 36;
const START_TOKEN = 1;
const END_TOKEN = 2;
/** Nobody says more; a model that repeats itself does. */
const MAX_TOKENS_PER_SECOND = 6.5;
/** Shorter than one frame of the encoder. */
const MIN_SAMPLES = HEARD_RATE / 10;

export async function loadMoonshine(folder: string): Promise<Moonshine> {
  const runtime = join(folder, 'onnxruntime');
  const onnx: Onnx = createRequire(import.meta.url)(join(runtime, 'ort.wasm.min.js'));
  onnx.env.wasm.numThreads = 1;
  onnx.env.wasm.wasmPaths = `${pathToFileURL(runtime).href}/`;
  onnx.env.wasm.wasmBinary = readFileSync(join(runtime, 'ort-wasm-simd-threaded.wasm'));
  const load = (name: string) =>
    onnx.InferenceSession.create(readFileSync(join(folder, 'moonshine', name)));
  const encoder = await load('encoder_model.onnx');
  const decoder = await load('decoder_model_merged.onnx');

  return {
    async transcribe(samples) {
      const texts: string[] = [];
      for (const part of cutAtPauses(samples, HEARD_RATE)) {
        if (part.length < MIN_SAMPLES) continue;
        const tokens = await generate({ onnx, encoder, decoder }, part);
        texts.push(llamaTokenizer.decode(tokens, false, false).trim());
      }
      return texts.filter((text) => text !== '').join(' ');
    },
  };
}

interface Model {
  readonly onnx: Onnx;
  readonly encoder: Session;
  readonly decoder: Session;
}

/** The most likely token after the other, until the model says that this was all. */
async function generate({ onnx, encoder, decoder }: Model, samples: Float32Array) {
  const input = new onnx.Tensor('float32', samples, [1, samples.length]);
  const { last_hidden_state: heard } = await encoder.run({ input_values: input });
  if (heard === undefined) throw new Error('the encoder answered nothing');
  const maxTokens = Math.ceil((samples.length / HEARD_RATE) * MAX_TOKENS_PER_SECOND);
  const said: number[] = [];
  let past = emptyPast(onnx);
  for (let token = START_TOKEN; said.length < maxTokens; ) {
    const isFirst = said.length === 0;
    const output = await decoder.run({
      input_ids: new onnx.Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
      encoder_hidden_states: heard,
      use_cache_branch: new onnx.Tensor('bool', [!isFirst], [1]),
      ...past,
    });
    token = findHighest(output['logits']?.data ?? new Float32Array(0));
    if (token === END_TOKEN) break;
    said.push(token);
    past = nextPast(past, output, isFirst);
  }
  return said;
}

type Past = Readonly<Record<string, Tensor>>;

function emptyPast(onnx: Onnx): Past {
  const past: Record<string, Tensor> = {};
  for (let layer = 0; layer < LAYERS; layer += 1) {
    for (const part of ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value']) {
      const empty = new onnx.Tensor('float32', new Float32Array(0), [0, HEADS, 1, HEAD_WIDTH]);
      past[`past_key_values.${layer}.${part}`] = empty;
    }
  }
  return past;
}

/** What was heard does not change after the first token; later answers leave it out. */
function nextPast(past: Past, output: Past, isFirst: boolean): Past {
  const entries = Object.entries(past).map(([name, before]) => {
    const after = output[name.replace('past_key_values', 'present')];
    return [name, (isFirst || name.includes('.decoder.')) && after ? after : before] as const;
  });
  return Object.fromEntries(entries);
}

function findHighest(values: Float32Array): number {
  let best = 0;
  for (let at = 1; at < values.length; at += 1) {
    if ((values[at] ?? 0) > (values[best] ?? 0)) best = at;
  }
  return best;
}
