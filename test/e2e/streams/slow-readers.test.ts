import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { killBuiltServers, startBuiltServer } from '../../support/built-server.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import { seedLargeRun } from './seed-large-run.ts';
import { encodeStreamRequest, prepareStreamRoot, readStream } from './thread-run.ts';

const SLOW_READERS = 60;
const EVENTS = 400;
const EVENT_BYTES = 50_000;
/**
 * Each may hold one page, 5 MB here, and as much again may wait to be collected. If it held what it does not take, all
 * together would hold more than 1 GB.
 */
const MAX_GROWTH_MB = 700;

afterEach(killBuiltServers);

test('readers that take nothing cost little memory, and one beside them gets everything', async () => {
  const root = await openTempRoot();
  const env = await prepareStreamRoot(root.path);
  const runId = await seedLargeRun(root.path, EVENTS, EVENT_BYTES);
  const server = startBuiltServer({ root: root.path, env });
  const url = (await server.ready) ?? '';
  await readStream(url, runId);
  const beforeMb = readResidentMb(server.pid);

  const sockets = await Promise.all(
    // Each at a place of its own: what readers share would hide what each of them holds.
    Array.from({ length: SLOW_READERS }, (_, cursor) => openSlowReader(url, runId, cursor)),
  );
  const received = await readStream(url, runId);
  const grownMb = readResidentMb(server.pid) - beforeMb;

  for (const socket of sockets) socket.destroy();
  expect(received.match(/^id: /gm)?.length).toBe(EVENTS + 1);
  expect(grownMb).toBeLessThan(MAX_GROWTH_MB);
  expect(await server.stop()).toBe('code 0');
  await root.remove();
}, 60_000);

/** Asks for the log after a place, sees that the answer begins, and takes no more of it. */
function openSlowReader(url: string, runId: string, cursor: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.once('error', reject);
    socket.once('data', (chunk) => {
      socket.pause();
      if (chunk.toString('latin1').startsWith('HTTP/1.1 200')) resolve(socket);
      else reject(new Error(chunk.toString('latin1')));
    });
    socket.write(encodeStreamRequest(runId, cursor));
  });
}

function readResidentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}
