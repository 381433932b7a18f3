/**
 * Arrays as long as there are slots, used by one search after the other: fresh ones of that size are given back to the
 * system and asked for again every time, which costs more than the search itself. What is borrowed is good until the
 * same name is borrowed again.
 */
export class Scratch {
  readonly #floats = new Map<string, Float32Array<ArrayBuffer>>();
  readonly #wholes = new Map<string, Int32Array<ArrayBuffer>>();

  floats(name: string, length: number, value: number): Float32Array {
    const kept = this.#floats.get(name);
    const array = kept && kept.length >= length ? kept : new Float32Array(roomFor(length));
    this.#floats.set(name, array);
    return array.subarray(0, length).fill(value);
  }

  wholes(name: string, length: number): Int32Array {
    const kept = this.#wholes.get(name);
    const array = kept && kept.length >= length ? kept : new Int32Array(roomFor(length));
    this.#wholes.set(name, array);
    return array.subarray(0, length).fill(0);
  }
}

function roomFor(length: number): number {
  return Math.ceil(length * 1.25);
}
