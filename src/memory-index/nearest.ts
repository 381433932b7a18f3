/** The best of many, by falling value: whoever is not better than the last of them is not taken. */
export class Nearest {
  readonly places: Int32Array;
  readonly #values: Float64Array;
  #size = 0;
  #least = Number.NEGATIVE_INFINITY;

  constructor(length: number) {
    this.places = new Int32Array(length);
    this.#values = new Float64Array(length);
  }

  get size(): number {
    return this.#size;
  }

  /** What has to be exceeded to be taken. */
  get least(): number {
    return this.#least;
  }

  /** Answers with what has to be exceeded from now on. */
  take(place: number, value: number): number {
    const { places } = this;
    const values = this.#values;
    let at = Math.min(this.#size, places.length - 1);
    for (; at > 0 && (values[at - 1] as number) < value; at -= 1) {
      values[at] = values[at - 1] as number;
      places[at] = places[at - 1] as number;
    }
    values[at] = value;
    places[at] = place;
    this.#size = Math.min(this.#size + 1, places.length);
    if (this.#size === places.length) this.#least = values[this.#size - 1] as number;
    return this.#least;
  }
}
