import { readFile } from 'node:fs/promises';
import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { expect, test, vi } from 'vitest';
import { MAX_AUDIO_BYTES } from '../../core/voice/audio.ts';
import { HEARD_RATE } from './audio-decoders.ts';
import { decodeAudio } from './decode-audio.ts';
import { Refusal } from './refusal.ts';

const FOLDER = new URL('../../../test/fixtures/voice/', import.meta.url);
const read = (name: string) => readFile(new URL(name, FOLDER));
/** Of every recording in the folder. */
const SPOKEN_SECONDS = 3.57;

const PAGE_HEADER_BYTES = 27;
const LAST_PAGE = 4;

function* readPages(ogg: Buffer): Generator<Buffer> {
  for (let at = 0; at < ogg.length; ) {
    const packets = ogg[at + 26] ?? 0;
    const sizes = ogg.subarray(at + PAGE_HEADER_BYTES, at + PAGE_HEADER_BYTES + packets);
    const end = at + PAGE_HEADER_BYTES + packets + sizes.reduce((sum, size) => sum + size, 0);
    yield ogg.subarray(at, end);
    at = end;
  }
}

/** As `ogg` computes it: no reflection, no inversion. */
function checksum(page: Buffer): number {
  let crc = 0;
  for (const byte of page) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
}

/** A page of packets, all alike, that claims to end a moment after the beginning. */
function toPage(
  packet: Buffer,
  { no, serial, isLast }: { no: number; serial: number; isLast: boolean },
) {
  const count = 255;
  const header = Buffer.alloc(PAGE_HEADER_BYTES + count, packet.length);
  header.write('OggS', 0, 'latin1');
  header[4] = 0;
  header[5] = isLast ? LAST_PAGE : 0;
  header.writeBigInt64LE(16_000n, 6);
  header.writeUInt32LE(serial, 14);
  header.writeUInt32LE(no, 18);
  header.writeUInt32LE(0, 22);
  header[26] = count;
  const page = Buffer.concat([header, ...Array.from({ length: count }, () => packet)]);
  page.writeUInt32LE(checksum(page), 22);
  return page;
}

/** A long block of silence: one byte for 1,024 samples. */
const EMPTY_VORBIS = Buffer.from([0x0e]);
const BOMB_PAGES = 900;

/** The headers of a recording, and behind them pages of one packet again and again. */
async function makeOgg(name: string, packet: Buffer, count: number): Promise<Buffer> {
  const headers = [...readPages(await read(name))].slice(0, 2);
  const serial = headers[0]?.readUInt32LE(14) ?? 0;
  const pages = Array.from({ length: count }, (_, index) =>
    toPage(packet, { no: index + 2, serial, isLast: index === count - 1 }),
  );
  return Buffer.concat([...headers, ...pages]);
}

test.each(['clip.webm', 'clip.ogg', 'vorbis.ogg', 'clip.mp3'])(
  '%s is decoded whole',
  async (name) => {
    const samples = await decodeAudio(await read(name));

    expect(samples.length / HEARD_RATE).toBeCloseTo(SPOKEN_SECONDS, 1);
  },
);

const TOO_LONG = 'the recording goes on after 120 seconds, which is as long as one may last';
const ALLOWED_SECONDS = 122;

test('hours of Vorbis in half a megabyte are refused after the seconds that are allowed', async () => {
  const bomb = await makeOgg('vorbis.ogg', EMPTY_VORBIS, BOMB_PAGES);
  const decoded = vi.spyOn(OggVorbisDecoder.prototype, 'decode');

  const outcome = await decodeAudio(bomb).catch((thrown: unknown) => thrown);

  expect(bomb.length).toBeLessThan(MAX_AUDIO_BYTES);
  expect(outcome).toEqual(new Refusal(TOO_LONG));
  // One page of empty packets at a time.
  expect(decoded.mock.calls.length).toBeLessThan(100);
});

/** Six frames of 20 ms without a byte in them. */
const EMPTY_OPUS = Buffer.from([0x4b, 0x06]);

async function makeLongMp3(): Promise<Buffer> {
  const clip = await read('clip.mp3');
  return Buffer.concat(Array.from({ length: 36 }, () => clip));
}

async function makeLongWav(): Promise<Buffer> {
  const rate = 8_000;
  const header = Buffer.from(
    '524946460000000057415645666d7420100000000100010000000000000000000100080064617461',
    'hex',
  );
  const samples = Buffer.alloc(ALLOWED_SECONDS * rate, 128);
  const wav = Buffer.concat([header, Buffer.alloc(4), samples]);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate, 28);
  wav.writeUInt32LE(samples.length, 40);
  return wav;
}

test.each<[string, () => Promise<Buffer>]>([
  ['Opus', () => makeOgg('clip.ogg', EMPTY_OPUS, 5)],
  ['MP3', makeLongMp3],
  ['WAV', makeLongWav],
])('%s that goes on for too long is refused, not cut', async (_, make) => {
  await expect(decodeAudio(await make())).rejects.toEqual(new Refusal(TOO_LONG));
});
