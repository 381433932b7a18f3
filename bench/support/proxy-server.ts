// Control of the model path, a process of its own: passes a request on to the provider and its answer back, with
// nothing but Node.
import { Agent, request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [provider = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });

const server = createServer((request, response) => {
  const { method = 'GET', url = '/', headers } = request;
  const passed = ask(new URL(url, provider), { method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.once('error', (error) => response.destroy(error));
  request.pipe(passed);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}`);
});
