// Serves a state root over standard streams, as `claw mcp serve` does, for tests that need a real process.
import { createRuntime } from '../../src/app.ts';
import { openMcpServer } from '../../src/assembly/mount-surfaces.ts';
import { silentLogger } from '../../src/core/log.ts';

const [root = ''] = process.argv.slice(2);
const runtime = await createRuntime({ root, env: {}, logger: silentLogger, role: 'server' });
const server = openMcpServer(runtime);
const session = await server.serveStdio({ input: process.stdin, output: process.stdout });
await session.ended;
await session.close();
await runtime.close({ graceMs: 0 });
