import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';

/** Flite: English text to speech. */
export interface Flite {
  /** A WAV file. Any voice that it does not have is its usual one. */
  speak(text: string, voice: string | undefined): Uint8Array;
}

/** The types of Node leave it out. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => Parameters<WASI['start']>[0];
}

const { Module, Instance } = WebAssembly as unknown as WebAssemblyApi;

const VOICES: readonly string[] = ['slt', 'awb', 'rms', 'kal', 'kal16'];
const USUAL_VOICE = 'slt';
const [INPUT, OUTPUT] = ['in.txt', 'out.wav'] as const;

/** The program sees a folder with one text in it, in memory, and nothing of this machine. */
export function loadFlite(folder: string): Flite {
  const program = new Module(readFileSync(join(folder, 'flite', 'flite.wasm')));

  return {
    speak(text, voice) {
      const spoken = new File(new Uint8Array(0));
      const given = new File(new TextEncoder().encode(text));
      const place = new PreopenDirectory(
        '/',
        new Map([
          [INPUT, given],
          [OUTPUT, spoken],
        ]),
      );
      const complaints: string[] = [];
      const quiet = ConsoleStdout.lineBuffered((line) => complaints.push(line));
      const name = voice !== undefined && VOICES.includes(voice) ? voice : USUAL_VOICE;
      const wasi = new WASI(
        ['flite', '-voice', name, '-f', `/${INPUT}`, '-o', `/${OUTPUT}`],
        [],
        [new OpenFile(new File([])), quiet, quiet, place],
        { debug: false },
      );
      const imports = { wasi_snapshot_preview1: wasi.wasiImport };
      const instance = new Instance(program, imports);
      const code = wasi.start(instance);
      if (code !== 0) throw new Error(`flite ended with ${code}: ${complaints.join(' ')}`);
      return spoken.data;
    },
  };
}
