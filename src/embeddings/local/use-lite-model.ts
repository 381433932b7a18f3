import { toUnitLength } from '../../core/memory/unit-vector.ts';
import { attend, type Span } from './attention.ts';
import { PANEL_COLUMNS, ROW_BLOCK } from './matmul-kernel.ts';
import {
  addToRows,
  clampNegatives,
  createTiming,
  fillRows,
  normalizeRows,
} from './row-operations.ts';
import { createTokenizer } from './sentence-pieces.ts';
import { type UseLiteWeights, widen } from './use-lite-file.ts';
import {
  type Floats,
  type Layer,
  loadUseLiteTensors,
  MAX_ROWS,
  PIECE_WIDTH,
  type UseLiteTensors,
  WIDE,
  WIDTH,
} from './use-lite-tensors.ts';

/** The Universal Sentence Encoder, lite: two transformer layers over pieces of text, their mean, one dense layer. */
export interface UseLiteModel {
  /** Unit vectors of 512. Longer texts are cut at 128 pieces, about a hundred words. */
  embed(texts: readonly string[]): Float32Array<ArrayBuffer>[];
}

/** As the model was trained. */
const MAX_PIECES = 128;
/** No piece is longer than 16, so no more of a text can matter. */
const MAX_CHARACTERS = 4096;
const HEADS = 4;

/** Numbers of the pieces of a text. */
type Pieces = readonly number[];

export function createUseLite(weights: UseLiteWeights): UseLiteModel {
  const tokenizer = createTokenizer(weights.vocabulary);
  const tensors = loadUseLiteTensors(weights);
  const readPieces = createPieceReader(weights, tensors.rooms.input);

  function embedTogether(texts: readonly Pieces[]): Float32Array<ArrayBuffer>[] {
    const spans: Span[] = [];
    let start = 0;
    for (const { length } of texts) {
      spans.push({ start, length });
      start += length;
    }
    const rows = roundUp(start);
    if (rows > 0) {
      readPieces(texts, rows);
      for (const layer of tensors.layers) applyLayer(tensors, layer, { rows, spans });
    }
    return poolTexts(tensors, spans);
  }

  return {
    embed(texts) {
      const pieces = texts.map((text) =>
        tokenizer.encode(text.slice(0, MAX_CHARACTERS)).slice(0, MAX_PIECES),
      );
      return toBatches(pieces).flatMap(embedTogether);
    },
  };
}

/** Texts in their order, as many together as there are rows. */
function toBatches(texts: readonly Pieces[]): Pieces[][] {
  const batches: Pieces[][] = [];
  let rows = MAX_ROWS;
  for (const text of texts) {
    const last = batches.at(-1);
    // Texts count too: each has a row in the last layer, also one without any piece.
    if (!last || rows + text.length > MAX_ROWS || last.length === MAX_ROWS) {
      batches.push([text]);
      rows = text.length;
    } else {
      last.push(text);
      rows += text.length;
    }
  }
  return batches;
}

/** Puts what is known of each piece, and where it stands, into the first rows. */
function createPieceReader(weights: UseLiteWeights, { values }: Floats) {
  const known = weights.halves('pieces');
  const timing = createTiming(MAX_PIECES, PIECE_WIDTH);
  const row = new Float32Array(PIECE_WIDTH);

  return (texts: readonly Pieces[], rows: number): void => {
    values.fill(0, 0, rows * PIECE_WIDTH);
    let at = 0;
    for (const pieces of texts) {
      pieces.forEach((piece, position) => {
        widen(known.subarray(piece * PIECE_WIDTH, (piece + 1) * PIECE_WIDTH), row);
        for (let column = 0; column < PIECE_WIDTH; column += 1) {
          // The trained graph adds the piece once as it is and once with its position.
          const place = timing[position * PIECE_WIDTH + column] ?? 0;
          values[at + column] = 2 * (row[column] ?? 0) + place;
        }
        at += PIECE_WIDTH;
      });
    }
  };
}

interface Rows {
  readonly rows: number;
  readonly spans: readonly Span[];
}

function applyLayer(tensors: UseLiteTensors, layer: Layer, { rows, spans }: Rows): void {
  const { input, state, normed, qkv, attended, wide } = tensors.rooms;
  const { inputWidth: width, tensor } = layer;
  const multiply = createMultiplier(tensors, rows);
  const source = width === WIDTH ? state : input;
  normalizeRows({
    ...{ source, target: normed, rows },
    ...{ scale: tensor('norm_scale'), bias: tensor('norm_bias') },
  });
  fillRows(qkv, tensor('qkv_bias'), rows);
  multiply({ source: normed, by: tensor('qkv'), onto: qkv, depth: width, width: 3 * width });
  attend({ qkv: qkv.values, target: attended.values, width, heads: HEADS }, spans);
  if (source === input) {
    fillRows(state, tensor('residual_bias'), rows);
    multiply({ source, by: tensor('residual'), onto: state, depth: width, width: WIDTH });
  }
  addToRows(state, tensor('output_bias'), rows);
  multiply({ source: attended, by: tensor('output'), onto: state, depth: width, width: WIDTH });
  normalizeRows({
    ...{ source: state, target: normed, rows },
    ...{ scale: tensor('wide_norm_scale'), bias: tensor('wide_norm_bias') },
  });
  fillRows(wide, tensor('wide_bias'), rows);
  multiply({ source: normed, by: tensor('wide'), onto: wide, depth: WIDTH, width: WIDE });
  clampNegatives(wide, rows * WIDE);
  addToRows(state, tensor('narrow_bias'), rows);
  multiply({ source: wide, by: tensor('narrow'), onto: state, depth: WIDE, width: WIDTH });
}

/** The mean of each text's rows, through the last layer. */
function poolTexts(tensors: UseLiteTensors, spans: readonly Span[]): Float32Array<ArrayBuffer>[] {
  const { state, normed, wide } = tensors.rooms;
  const rows = roundUp(spans.length);
  const means = normed.values;
  means.fill(0, 0, rows * WIDTH);
  spans.forEach(({ start, length }, text) => {
    for (let index = 0; index < length * WIDTH; index += 1) {
      const at = text * WIDTH + (index % WIDTH);
      means[at] = (means[at] ?? 0) + (state.values[start * WIDTH + index] ?? 0) / length;
    }
  });
  fillRows(wide, tensors.tensor('tanh_bias'), rows);
  const by = tensors.tensor('tanh');
  createMultiplier(tensors, rows)({ source: normed, by, onto: wide, depth: WIDTH, width: WIDTH });
  return spans.map((_, text) =>
    toUnitLength(wide.values.slice(text * WIDTH, (text + 1) * WIDTH).map(Math.tanh)),
  );
}

interface Product {
  readonly source: Floats;
  readonly by: Floats;
  /** What is there already is added to. */
  readonly onto: Floats;
  readonly depth: number;
  readonly width: number;
}

function createMultiplier({ kernel }: UseLiteTensors, rows: number) {
  return ({ source, by, onto, depth, width }: Product): void => {
    const panels = width / PANEL_COLUMNS;
    kernel.multiply({ a: source.at, b: by.at, c: onto.at, rows, depth, panels });
  };
}

function roundUp(rows: number): number {
  return Math.ceil(rows / ROW_BLOCK) * ROW_BLOCK;
}
