/**
 * The one hot loop of the model, as WebAssembly with vectors of four floats: `c += a × b`. It is written here as
 * instructions, so that no compiler is needed to build it and what runs can be read.
 *
 * `a` has rows of `depth` floats, `c` rows of `panels` × 8. `b` is stored in panels: for each eight columns, all its rows
 * one after the other, so that the loop reads it from front to back. `rows` and `depth` are multiples of four.
 */
export interface MatmulKernel {
  readonly memory: ArrayBuffer;
  multiply(matrices: Matrices): void;
}

/** Addresses in bytes, and sizes. */
export interface Matrices {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly rows: number;
  readonly depth: number;
  readonly panels: number;
}

/** Columns of a panel: two vectors. */
export const PANEL_COLUMNS = 8;
/** Rows that are computed together: with two vectors each, eight sums stay in registers. */
export const ROW_BLOCK = 4;

const PAGE_BYTES = 65_536;

export function createMatmulKernel(memoryBytes: number): MatmulKernel {
  const pages = Math.ceil(memoryBytes / PAGE_BYTES);
  const memory = new Memory({ initial: pages, maximum: pages });
  const module = new Module(assembleModule(pages));
  const { exports } = new Instance(module, { m: { m: memory } });
  const run = exports['f'] as (...parameters: number[]) => void;
  return {
    memory: memory.buffer,
    multiply: ({ a, b, c, rows, depth, panels }) => run(a, b, c, rows, depth, panels),
  };
}

/** Of the parts that are used here; the types of Node have none. */
interface Runtime {
  readonly Memory: new (size: { initial: number; maximum: number }) => { buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}

const { Memory, Module, Instance } = WebAssembly as unknown as Runtime;

type Code = readonly number[];

const I32 = 0x7f;
const V128 = 0x7b;
const FLOAT_BYTES = 4;
const PANEL_BYTES = PANEL_COLUMNS * FLOAT_BYTES;
/** Steps of the inner loop that are written out: fewer additions to pointers. */
const UNROLLED = 4;

// Parameters come first, then locals in the order of their declaration.
const [A, B, C, ROWS, DEPTH, PANELS] = [0, 1, 2, 3, 4, 5];
const [A_STRIDE, C_STRIDE, A_BLOCK, C_PANEL, C_BLOCK, ROWS_LEFT, B_AT, B_END] = [
  6, 7, 8, 9, 10, 11, 12, 13,
];
const A_AT = [14, 15, 16, 17] as const;
const FIRST_VECTOR = 18;
const B_LEFT = FIRST_VECTOR;
const B_RIGHT = FIRST_VECTOR + 1;
const FACTOR = FIRST_VECTOR + 2;
const sumAt = (row: number, half: number) => FIRST_VECTOR + 3 + row * 2 + half;
const INTEGER_LOCALS = 12;
const VECTOR_LOCALS = 11;

const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
const constant = (value: number): Code => [0x41, ...signed(value)];
const add: Code = [0x6a];
const multiply: Code = [0x6c];
const subtract: Code = [0x6b];
const vectorLoad = (offset: number): Code => [0xfd, 0x00, 0x02, ...unsigned(offset)];
const splatLoad = (offset: number): Code => [0xfd, 0x09, 0x02, ...unsigned(offset)];
const vectorStore = (offset: number): Code => [0xfd, 0x0b, 0x02, ...unsigned(offset)];
const vectorAdd: Code = [0xfd, 0xe4, 0x01];
const vectorMultiply: Code = [0xfd, 0xe6, 0x01];

/** At least once, and again as long as the condition leaves something other than zero. */
const repeat = (body: Code, condition: Code): Code => [
  ...[0x03, 0x40],
  ...body,
  ...condition,
  ...[0x0d, 0x00],
  0x0b,
];

const advance = (local: number, by: Code): Code => [...get(local), ...by, ...add, ...set(local)];

function assembleModule(pages: number): Uint8Array<ArrayBuffer> {
  const parameters = [I32, I32, I32, I32, I32, I32];
  const locals = [2, INTEGER_LOCALS, I32, VECTOR_LOCALS, V128];
  const body = [...locals, ...assembleBody(), 0x0b];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, parameters.length, ...parameters, 0]),
    ...section(2, [1, 1, 0x6d, 1, 0x6d, 0x02, 0x01, ...unsigned(pages), ...unsigned(pages)]),
    ...section(3, [1, 0]),
    ...section(7, [1, 1, 0x66, 0x00, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

/** For each panel, for each block of rows: load its sums, go down the panel, store them. */
function assembleBody(): Code {
  const block: Code = [
    ...pointAtRows(),
    ...eachSum((row, half) => [
      ...get(A_AT[row] ?? 0),
      ...vectorLoad(half * 16),
      ...set(sumAt(row, half)),
    ]),
    ...[...get(A_BLOCK), ...set(A_AT[0])],
    ...[1, 2, 3].flatMap((row) => [
      ...get(A_AT[row - 1] ?? 0),
      ...get(A_STRIDE),
      ...add,
      ...set(A_AT[row] ?? 0),
    ]),
    ...[...get(B), ...set(B_AT)],
    ...repeat(assembleSteps(), [...get(B_AT), ...get(B_END), 0x47]),
    ...pointAtRows(),
    ...eachSum((row, half) => [
      ...get(A_AT[row] ?? 0),
      ...get(sumAt(row, half)),
      ...vectorStore(half * 16),
    ]),
    ...advance(A_BLOCK, [...get(A_STRIDE), ...constant(ROW_BLOCK), ...multiply]),
    ...advance(C_BLOCK, [...get(C_STRIDE), ...constant(ROW_BLOCK), ...multiply]),
    ...[...get(ROWS_LEFT), ...constant(ROW_BLOCK), ...subtract, ...set(ROWS_LEFT)],
  ];
  const panel: Code = [
    ...[
      ...get(A),
      ...set(A_BLOCK),
      ...get(C_PANEL),
      ...set(C_BLOCK),
      ...get(ROWS),
      ...set(ROWS_LEFT),
    ],
    ...[...get(B), ...get(DEPTH), ...constant(PANEL_BYTES), ...multiply, ...add, ...set(B_END)],
    ...repeat(block, get(ROWS_LEFT)),
    ...[...get(B_END), ...set(B)],
    ...advance(C_PANEL, constant(PANEL_BYTES)),
    ...[...get(PANELS), ...constant(1), ...subtract, ...set(PANELS)],
  ];
  return [
    ...[...get(DEPTH), ...constant(FLOAT_BYTES), ...multiply, ...set(A_STRIDE)],
    ...[...get(PANELS), ...constant(PANEL_BYTES), ...multiply, ...set(C_STRIDE)],
    ...[...get(C), ...set(C_PANEL)],
    ...repeat(panel, get(PANELS)),
  ];
}

/** The four rows of the present block of `c`, in the pointers that go along `a` in between. */
function pointAtRows(): Code {
  return [
    ...[...get(C_BLOCK), ...set(A_AT[0])],
    ...[1, 2, 3].flatMap((row) => [
      ...get(A_AT[row - 1] ?? 0),
      ...get(C_STRIDE),
      ...add,
      ...set(A_AT[row] ?? 0),
    ]),
  ];
}

function assembleSteps(): Code {
  const steps = Array.from(
    { length: UNROLLED },
    (_, step): Code => [
      ...[...get(B_AT), ...vectorLoad(step * PANEL_BYTES), ...set(B_LEFT)],
      ...[...get(B_AT), ...vectorLoad(step * PANEL_BYTES + 16), ...set(B_RIGHT)],
      ...A_AT.flatMap((at, row) => [
        ...[...get(at), ...splatLoad(step * FLOAT_BYTES), ...set(FACTOR)],
        ...accumulate(sumAt(row, 0), B_LEFT),
        ...accumulate(sumAt(row, 1), B_RIGHT),
      ]),
    ],
  ).flat();
  return [
    ...steps,
    ...A_AT.flatMap((at) => advance(at, constant(UNROLLED * FLOAT_BYTES))),
    ...advance(B_AT, constant(UNROLLED * PANEL_BYTES)),
  ];
}

function accumulate(sum: number, factor: number): Code {
  return [
    ...get(sum),
    ...get(FACTOR),
    ...get(factor),
    ...vectorMultiply,
    ...vectorAdd,
    ...set(sum),
  ];
}

function eachSum(emit: (row: number, half: number) => Code): Code {
  return [0, 1, 2, 3].flatMap((row) => [0, 1].flatMap((half) => emit(row, half)));
}

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content];
}

function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  const isLast = value >= -0x40 && value < 0x40;
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
