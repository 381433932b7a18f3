import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../../test/support/temp-root.ts';
import { createDirectStream, type StandardStream } from './direct-stream.ts';

let root: TempRoot;
let opened: number[];

beforeEach(async () => {
  root = await openTempRoot();
  opened = [];
});

afterEach(async () => {
  for (const fd of opened) closeSync(fd);
  await root.remove();
});

function open(path: string, flags: string | number): number {
  const fd = openSync(path, flags);
  opened.push(fd);
  return fd;
}

/** Both ends of a pipe that never makes anybody wait. */
function openPipe(): { readonly input: number; readonly output: number } {
  const path = join(root.path, 'pipe');
  execFileSync('mkfifo', [path]);
  const output = open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { output, input: open(path, constants.O_WRONLY | constants.O_NONBLOCK) };
}

function neverOpened(): StandardStream {
  throw new Error('the stream was set up');
}

/** Takes everything, as a stream does that waits until there is room. */
function createPatientStream(isTTY: boolean) {
  const chunks: Buffer[] = [];
  const stream: StandardStream = {
    isTTY,
    columns: 132,
    hasColors: () => true,
    on: () => {},
    write(chunk, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  };
  return { stream, chunks };
}

test('what is written to a file is there at once, and no stream is set up for it', () => {
  const path = join(root.path, 'out');
  const errors: unknown[] = [];

  const stream = createDirectStream(open(path, 'w'), neverOpened);
  stream.write('one\n', (error) => errors.push(error));
  stream.write('zwei – два\n', (error) => errors.push(error));

  expect(readFileSync(path, 'utf8')).toBe('one\nzwei – два\n');
  expect(errors).toEqual([undefined, undefined]);
  expect(stream.isTTY).toBe(false);
});

test('what a full pipe does not take goes through the stream, and all that follows', () => {
  const { input, output } = openPipe();
  const { stream: patient, chunks } = createPatientStream(false);
  const text = 'äöü€'.repeat(20_000);
  let count = 0;

  const stream = createDirectStream(input, () => patient);
  stream.write(text, () => {
    count += 1;
  });
  const piped = Buffer.alloc(Buffer.byteLength(text));
  const length = readSync(output, piped);
  // There is room again; whatever took it would overtake what waits.
  stream.write('end', () => {
    count += 1;
  });

  expect(count).toBe(2);
  expect(length).toBeGreaterThan(0);
  expect(Buffer.concat([piped.subarray(0, length), ...chunks]).toString()).toBe(`${text}end`);
});

test('of a reader that left the writer hears by the code of the system', () => {
  const { input, output } = openPipe();
  closeSync(output);
  opened = opened.filter((fd) => fd !== output);
  const codes: unknown[] = [];

  const stream = createDirectStream(input, neverOpened);
  stream.write('text', (error) => codes.push((error as NodeJS.ErrnoException).code));

  expect(codes).toEqual(['EPIPE']);
});

test('what may be a terminal is asked of the stream, with the listeners that were there before', () => {
  const { stream: patient, chunks } = createPatientStream(true);
  const listened: string[] = [];
  const device = { ...patient, on: (event: string) => listened.push(event) };

  const stream = createDirectStream(open('/dev/null', 'w'), () => device);
  stream.on('error', () => {});
  const answers = [stream.isTTY, stream.columns, stream.hasColors?.()];
  stream.on('error', () => {});
  stream.write('drawn', () => {});

  expect(answers).toEqual([true, 132, true]);
  expect(listened).toEqual(['error', 'error']);
  expect(String(Buffer.concat(chunks))).toBe('drawn');
});
