import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openTempRoot } from '../../test/support/temp-root.ts';
import { systemClock } from '../core/clock.ts';
import type { AgentId, RunId } from '../core/ids.ts';
import type { JsonObject } from '../core/json.ts';
import { silentLogger } from '../core/log.ts';
import { createToolRegistry, type ToolRegistry } from '../core/tools/registry.ts';
import type { ToolPinStore } from '../core/tools/tool-pin.ts';
import { type McpClients, type McpClientsDeps, openMcpClients } from './open-mcp-clients.ts';
import { openPinFile } from './test-pin-file.ts';

const SERVER = new URL('test-stdio-server.mjs', import.meta.url).pathname;

interface TestClients {
  readonly clients: McpClients;
  readonly registry: ToolRegistry;
  readonly pins: ToolPinStore;
  readonly descriptionFile: string;
  /** Names of the registered tools. */
  names(): string[];
  call(name: string, input?: JsonObject, signal?: AbortSignal): Promise<JsonObject>;
}

export interface TestGround {
  readonly descriptionFile: string;
  readonly pins: ToolPinStore;
  /** An entry of `mcpServers` for the test server in this mode. */
  server(mode: string, options?: object): object;
  open(servers: Record<string, unknown>, deps?: Partial<McpClientsDeps>): TestClients;
}

/** A place for pins and descriptions that several clients of one test may share, one after the other. */
export async function createTestGround(): Promise<TestGround> {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const descriptionFile = join(root.path, 'description.txt');
  await writeFile(descriptionFile, 'Says it again');
  const pins = openPinFile(join(root.path, 'pins.json'));
  return {
    descriptionFile,
    pins,
    server: (mode, options = {}) => ({
      command: process.execPath,
      args: [SERVER, mode, descriptionFile],
      ...options,
    }),
    open(servers, deps = {}) {
      const registry = createToolRegistry([]);
      const clients = openMcpClients(servers, {
        clock: systemClock,
        logger: silentLogger,
        registry,
        pins,
        version: '0.0.0-test',
        environment: { PATH: '/usr/bin:/bin' },
        random: () => 0,
        ...deps,
      });
      onTestFinished(() => clients.close());
      return {
        clients,
        registry,
        pins,
        descriptionFile,
        names: () => registry.list().map(({ name }) => name),
        call: (name, input = {}, signal = AbortSignal.timeout(15_000)) =>
          callTool(registry, { name, input, signal }),
      };
    },
  };
}

async function callTool(
  registry: ToolRegistry,
  call: { readonly name: string; readonly input: JsonObject; readonly signal: AbortSignal },
): Promise<JsonObject> {
  const tool = registry.find(call.name);
  if (!tool) throw new Error(`no tool named ${call.name}`);
  return tool.execute(call.input, {
    runId: 'run_test' as RunId,
    agentId: 'agent_test' as AgentId,
    principal: 'operator',
    callId: 'call-1',
    signal: call.signal,
  });
}

/** Polls: what is waited for happens in another process. */
export async function until(isMet: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + 15_000;
  while (!(await isMet())) {
    if (Date.now() > deadlineMs) throw new Error('waited in vain');
    await systemClock.sleep(20);
  }
}
