import { expect, test } from 'vitest';
import { parseEventStream, type StreamFrame } from './parse-event-stream.ts';

async function parse(chunks: readonly Uint8Array[]): Promise<StreamFrame[]> {
  async function* stream() {
    yield* chunks;
  }
  const frames: StreamFrame[] = [];
  for await (const batch of parseEventStream(stream())) frames.push(...batch);
  return frames;
}

const TEXT =
  'retry: 1000\n\n: keep-alive\n\nid: 1\nevent: a\ndata: {"t":"ä 🦀"}\n\nid: 2\ndata: x\ndata: y\n\n';

test('frames come out whole wherever the bytes were cut', async () => {
  const bytes = new TextEncoder().encode(TEXT);
  const expected = [
    { event: 'a', data: '{"t":"ä 🦀"}' },
    { event: 'message', data: 'x\ny' },
  ];

  for (let size = 1; size <= bytes.length; size += 1) {
    const chunks = [];
    for (let start = 0; start < bytes.length; start += size)
      chunks.push(bytes.slice(start, start + size));
    expect(await parse(chunks)).toEqual(expected);
  }
});

test('a frame that was cut off by the end of the stream is dropped', async () => {
  expect(await parse([new TextEncoder().encode('data: 1\n\ndata: {"half')])).toEqual([
    { event: 'message', data: '1' },
  ]);
});
