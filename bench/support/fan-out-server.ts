// Control of the stream benchmark, a process of its own: what is posted goes to every open stream, with nothing but Node.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const readers = new Set<ServerResponse>();
let seq = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.write('retry: 1000\n\n');
    readers.add(response);
    response.once('close', () => readers.delete(response));
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    seq += 1;
    const frame = `event: message\nid: ${seq}\ndata: ${Buffer.concat(chunks).toString()}\n\n`;
    for (const reader of readers) reader.write(frame);
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}`);
});
