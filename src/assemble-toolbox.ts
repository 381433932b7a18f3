import { realpath } from 'node:fs/promises';
import type { LoadedConfig } from './config/load-config.ts';
import { systemClock } from './core/clock.ts';
import type { Sandbox } from './core/sandbox/sandbox.ts';
import type { Tool } from './core/tools/tool.ts';
import { createPathGuard } from './toolbox/files/path-guard.ts';
import { isControlFile, isReservedName } from './toolbox/files/path-names.ts';
import { createHttpRequest } from './toolbox/http/http-request.ts';
import type { RunToolsDeps } from './toolbox/runs/run-tools.ts';
import { createShellExec } from './toolbox/shell/shell-exec.ts';
import { createToolbox } from './toolbox/toolbox.ts';

export interface AssembledToolbox {
  readonly tools: readonly Tool[];
  /** Undefined when none is configured. */
  readonly sandbox: Sandbox | undefined;
}

/** The built-in tools as the configuration wants them. */
export async function assembleToolbox(
  loaded: LoadedConfig,
  runs: RunToolsDeps,
): Promise<AssembledToolbox> {
  const { config, paths } = loaded;
  const guard = createPathGuard({ root: loaded.workspaceDir, reserved: [paths.stateDir] });
  const sandbox = await openSandbox(loaded);
  const http = createHttpRequest({
    config: {
      enabled: config.network.enabled,
      allowedDomains: config.network.allowed_domains,
      allowLocalhosts: config.network.allow_localhosts,
      keyDomains: config.network.idempotency_key_domains,
    },
  });
  const shell = createShellExec({
    sandbox,
    rules: {
      allow: config.shell.enable_exec ? config.shell.allowed_commands : [],
      ask: config.shell.enable_exec ? config.shell.ask_commands : [],
      deny: config.shell.denied_commands,
      otherwise: 'deny',
    },
  });
  return { tools: [...createToolbox({ guard, clock: systemClock, runs }), http, shell], sandbox };
}

/** Whether agents are told about a tool: one that a switch has off would only be refused. */
export function isSwitchedOn({ config }: LoadedConfig, tool: Tool): boolean {
  if (tool.name === 'shell.exec') return config.shell.enable_exec;
  if (tool.name === 'http.request') return config.network.enabled;
  return true;
}

/** Undefined when none is configured. */
export async function openSandbox(loaded: LoadedConfig): Promise<Sandbox | undefined> {
  const { active, provider, docker_image: image } = loaded.config.sandbox;
  if (!active) return undefined;
  const place = {
    workspace: await realpath(loaded.workspaceDir),
    reserved: [loaded.paths.stateDir],
    protect: (name: string) => {
      if (isReservedName(name)) return 'hidden' as const;
      return isControlFile(name) ? ('read_only' as const) : ('open' as const);
    },
  };
  if (provider === 'docker') {
    const { createDockerSandbox } = await import('./sandbox/create-docker-sandbox.ts');
    // As root, commands could not write into a workspace of ours, nor we into what they left there.
    const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    return createDockerSandbox({ ...place, image, user });
  }
  const { createBwrapSandbox } = await import('./sandbox/create-bwrap-sandbox.ts');
  return createBwrapSandbox(place);
}
