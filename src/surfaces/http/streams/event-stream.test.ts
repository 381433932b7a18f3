import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { openEventStream } from './event-stream.ts';
import { createEventStreams } from './event-streams.ts';

const CHUNK = `: ${'x'.repeat(1000)}\n\n`;
/** Far more than operating systems buffer for a connection. */
const MAX_CHUNKS = 100_000;

test('lets go of a reader that does not take the end of its stream', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  const left = new Promise<object>((resolve) => {
    app.get('/', async (_request, reply) => {
      const stream = openEventStream(reply, { stallMs: 100, heartbeatMs: 60_000 });
      const { socket } = reply.raw;
      // Until a piece waits in this process because the operating system took no more.
      let isWaiting = false;
      for (let count = 0; count < MAX_CHUNKS && !isWaiting; count += 1) {
        await stream.send([CHUNK]);
        await setImmediate();
        isWaiting = socket?.writableLength !== 0;
      }
      stream.close();
      resolve(
        once(reply.raw, 'close').then(() => ({ isWaiting, reason: reply.raw.errored?.message })),
      );
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });

  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');

  expect(await left).toEqual({ isWaiting: true, reason: 'answer was not taken within 100 ms' });
});

test('a stream for a reader who has left already is over from the start', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  const counts: number[] = [];
  const streams = createEventStreams({
    maxStreams: 1,
    stallMs: 100,
    heartbeatMs: 60_000,
    onCount: (count) => counts.push(count),
  });
  const left = new Promise<boolean>((resolve, reject) => {
    app.get('/', async (_request, reply) => {
      socket.destroy();
      await once(reply.raw, 'close');
      const stream = streams.open(reply);
      // Nobody will ever drain it: this would wait for ever.
      Promise.resolve(stream.send([CHUNK])).then(() => resolve(stream.signal.aborted), reject);
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });

  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');

  expect(await left).toBe(true);
  expect(counts).toEqual([]);
});

test('a reader who leaves leaves no timer behind', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  const countTimers = () =>
    process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const counted = new Promise<readonly number[]>((resolve) => {
    app.get('/', async (_request, reply) => {
      const before = countTimers();
      const stream = openEventStream(reply, { stallMs: 30_000, heartbeatMs: 60_000 });
      socket.destroy();
      await once(reply.raw, 'close');
      stream.close();
      resolve([before, countTimers()]);
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });

  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');

  const [before, after] = await counted;
  expect(after).toBe(before);
});
