// The peer's own server on its file store, a process of its own: `durable-streams-server.mjs <peers> <data>`.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface PeerModule {
  readonly DurableStreamTestServer: new (options: {
    port: number;
    host: string;
    dataDir: string;
    compression: boolean;
  }) => { start(): Promise<string> };
}

const [peersDir = '', dataDir = ''] = process.argv.slice(2);
const require = createRequire(join(peersDir, 'package.json'));
const entry = pathToFileURL(require.resolve('@durable-streams/server')).href;
const { DurableStreamTestServer } = (await import(entry)) as PeerModule;
const server = new DurableStreamTestServer({
  ...{ port: 0, host: '127.0.0.1', compression: false },
  dataDir,
});
const url = await server.start();
console.log(url);
