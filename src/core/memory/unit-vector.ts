/** The same direction with length 1, so that a dot product is a cosine. A vector without a direction stays as it is. */
export function toUnitLength(vector: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const squares = vector.reduce((sum, value) => sum + value * value, 0);
  return squares > 0 ? vector.map((value) => value / Math.sqrt(squares)) : vector;
}
