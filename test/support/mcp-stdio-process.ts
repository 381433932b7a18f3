// Serves a state root over standard streams, as `claw mcp serve` does, for tests that need a real process.
import { createRuntime } from '../../src/app.ts';
import { DEFAULT_AGENT_ID } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/log.ts';
import { createMcpServer } from '../../src/surfaces/mcp/create-mcp-server.ts';

const [root = ''] = process.argv.slice(2);
const runtime = await createRuntime({ root, env: {}, logger: silentLogger, role: 'server' });
const server = createMcpServer({
  runs: runtime.runs,
  registry: runtime.registry,
  agentId: DEFAULT_AGENT_ID,
  isExposed: ({ name }) => runtime.loaded.config.tools.granted.includes(name),
  logger: silentLogger,
  version: '0.0.0-test',
});
const session = await server.serveStdio({ input: process.stdin, output: process.stdout });
await session.ended;
await session.close();
await runtime.close({ graceMs: 0 });
