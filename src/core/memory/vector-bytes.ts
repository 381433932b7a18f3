/**
 * Vectors as they are stored: a byte for each number and one scale for the whole vector, a quarter of what floats take.
 * The index compares bytes too, so nothing is lost on the way from the store that it would have kept.
 */
const LARGEST = 127;
const SCALE_BYTES = 4;

export function encodeVectors(vectors: readonly Float32Array[]): Uint8Array<ArrayBuffer> {
  const dimensions = vectors[0]?.length ?? 0;
  const bytes = new Uint8Array(vectors.length * (SCALE_BYTES + dimensions));
  const view = new DataView(bytes.buffer);
  vectors.forEach((vector, index) => {
    const at = index * (SCALE_BYTES + dimensions);
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const scale = largest / LARGEST;
    view.setFloat32(at, scale, true);
    for (let place = 0; place < dimensions; place += 1) {
      const value = scale > 0 ? Math.round((vector[place] ?? 0) / scale) : 0;
      view.setInt8(at + SCALE_BYTES + place, value);
    }
  });
  return bytes;
}

/** Undefined for what can't have been written so. */
export function decodeVectors(bytes: Uint8Array, dimensions: number): Float32Array[] | undefined {
  const stride = SCALE_BYTES + dimensions;
  if (bytes.length === 0) return [];
  if (dimensions < 1 || bytes.length % stride !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / stride }, (_, index) => {
    const scale = view.getFloat32(index * stride, true);
    const at = index * stride + SCALE_BYTES;
    return Float32Array.from(
      { length: dimensions },
      (__, place) => view.getInt8(at + place) * scale,
    );
  });
}
