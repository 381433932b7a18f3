/**
 * Dot products of many int8 vectors with two int16 questions at once, as WebAssembly with 128-bit SIMD: eight
 * products an instruction, and each vector is read from memory once for both. Assembled here from its instructions,
 * so that there is no binary to trust.
 */
export interface DotKernel {
  /** Vectors, questions and products lie in here; grows. */
  readonly memory: KernelMemory;
  /** Writes two 32-bit products for each of `count` vectors. `stride` is their length, a multiple of 16. */
  run(vectors: number, count: number, stride: number, questions: number, products: number): void;
}

export interface KernelMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

interface WebAssemblyApi {
  readonly Memory: new (limits: { initial: number; maximum: number }) => KernelMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  validate(bytes: Uint8Array): boolean;
}

/** Half of what 32-bit addresses reach: four million vectors of 512. */
const MAX_PAGES = 32_768;
export const PAGE_BYTES = 65_536;

/** Undefined where there is no SIMD: then it is done in plain JavaScript. */
export function openDotKernel(): DotKernel | undefined {
  const api = (globalThis as unknown as { readonly WebAssembly?: WebAssemblyApi }).WebAssembly;
  const bytes = assemble();
  if (!api?.validate(bytes)) return undefined;
  try {
    const memory = new api.Memory({ initial: 2, maximum: MAX_PAGES });
    const { exports } = new api.Instance(new api.Module(bytes), { e: { m: memory } });
    return { memory, run: exports['dots'] as DotKernel['run'] };
  } catch {
    // The address space of the process is limited.
    return undefined;
  }
}

const I32 = 0x7f;
const V128 = 0x7b;
const SIMD = 0xfd;

const VECTORS = 0;
const COUNT = 1;
const STRIDE = 2;
const QUESTIONS = 3;
const PRODUCTS = 4;
const END = 5;
const FIRST = 6;
const SECOND = 7;
const SUM_FIRST = 8;
const SUM_SECOND = 9;
const PART = 10;

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const add = [0x6a];
const constant = (value: number) => [0x41, ...signed(value)];
const addTo = (local: number, value: number[]) => [...get(local), ...value, ...add, ...set(local)];
const load = (offset: number) => [SIMD, 0x00, 0, offset];
/** Eight bytes as eight 16-bit numbers. */
const loadWidened = (offset: number) => [SIMD, 0x01, 0, offset];
const zero = [SIMD, 0x0c, ...new Array<number>(16).fill(0)];
const dot = [SIMD, 0xba, 0x01];
const addLanes = [SIMD, 0xae, 0x01];
const lane = (index: number) => [SIMD, 0x1b, index];
const store = (offset: number) => [0x36, 2, offset];
const loop = (body: number[]) => [0x03, 0x40, ...body, 0x0b];
const repeatIf = (condition: number[]) => [...condition, 0x0d, 0];
const isBelow = [0x49];

/** Adds the products of eight numbers of the vector to both sums. */
function addProducts(vectorOffset: number, questionOffset: number): number[] {
  const one = (question: number, sum: number) => [
    ...get(PART),
    ...get(question),
    ...load(questionOffset),
    ...dot,
    ...get(sum),
    ...addLanes,
    ...set(sum),
  ];
  return [
    ...get(VECTORS),
    ...loadWidened(vectorOffset),
    ...set(PART),
    ...one(FIRST, SUM_FIRST),
    ...one(SECOND, SUM_SECOND),
  ];
}

function storeSum(sum: number, offset: number): number[] {
  const lanes = [0, 1, 2, 3].flatMap((index) => [...get(sum), ...lane(index)]);
  return [...get(PRODUCTS), ...lanes, ...add, ...add, ...add, ...store(offset)];
}

function assembleBody(): number[] {
  const inner = loop([
    ...addProducts(0, 0),
    ...addProducts(8, 16),
    ...addTo(VECTORS, constant(16)),
    ...addTo(FIRST, constant(32)),
    ...addTo(SECOND, constant(32)),
    ...repeatIf([...get(VECTORS), ...get(END), ...isBelow]),
  ]);
  const outer = loop([
    ...zero,
    ...set(SUM_FIRST),
    ...zero,
    ...set(SUM_SECOND),
    ...get(QUESTIONS),
    ...set(FIRST),
    ...[...get(QUESTIONS), ...get(STRIDE), ...get(STRIDE), ...add, ...add, ...set(SECOND)],
    ...[...get(VECTORS), ...get(STRIDE), ...add, ...set(END)],
    ...inner,
    ...storeSum(SUM_FIRST, 0),
    ...storeSum(SUM_SECOND, 4),
    ...addTo(PRODUCTS, constant(8)),
    ...addTo(COUNT, constant(-1)),
    ...repeatIf(get(COUNT)),
  ]);
  const locals = [2, 3, I32, 3, V128];
  return [...locals, ...outer, 0x0b];
}

function assemble(): Uint8Array {
  const name = (text: string) => [text.length, ...Array.from(text, (sign) => sign.charCodeAt(0))];
  const body = assembleBody();
  const parameters = [I32, I32, I32, I32, I32];
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, parameters.length, ...parameters, 0]),
    ...section(2, [1, ...name('e'), ...name('m'), 0x02, 0x01, 2, ...unsigned(MAX_PAGES)]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('dots'), 0x00, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

/** LEB128, as WebAssembly writes numbers. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const low = value & 0x7f;
  const rest = value >> 7;
  const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return isLast ? [low] : [low | 0x80, ...signed(rest)];
}
