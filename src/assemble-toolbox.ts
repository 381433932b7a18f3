import { join } from 'node:path';
import type { LiveConfig } from './config/live-config.ts';
import type { Config, LoadedConfig } from './config/load-config.ts';
import { systemClock } from './core/clock.ts';
import type { Sandbox } from './core/sandbox/sandbox.ts';
import type { Secrets } from './core/secrets/secrets.ts';
import type { Tool } from './core/tools/tool.ts';
import { createPathGuard } from './toolbox/files/path-guard.ts';
import { isControlFile, isReservedName } from './toolbox/files/path-names.ts';
import { createHttpRequest } from './toolbox/http/http-request.ts';
import type { RunToolsDeps } from './toolbox/runs/run-tools.ts';
import { createShellExec } from './toolbox/shell/shell-exec.ts';
import { createToolbox } from './toolbox/toolbox.ts';

export interface ToolboxGround {
  readonly live: LiveConfig;
  readonly runs: RunToolsDeps;
  /** For references to secrets in calls. */
  readonly secrets?: Pick<Secrets, 'find'> | undefined;
}

export interface AssembledToolbox {
  readonly tools: readonly Tool[];
  /** Undefined when none is configured. */
  readonly sandbox: Sandbox | undefined;
}

/** The built-in tools as the configuration wants them. */
export async function assembleToolbox({
  live,
  runs,
  secrets,
}: ToolboxGround): Promise<AssembledToolbox> {
  const { workspaceDir } = live.current();
  const guard = createPathGuard({ root: workspaceDir, reserved: listReserved(live.current()) });
  const sandbox = await openSandbox(live.current());
  const http = followConfig(live, ({ network }) =>
    createHttpRequest({
      config: {
        enabled: network.enabled,
        allowedDomains: network.allowed_domains,
        allowLocalhosts: network.allow_localhosts,
        keyDomains: network.idempotency_key_domains,
      },
      ...(secrets && { resolveSecret: (name) => secrets.find(name) }),
    }),
  );
  const shell = followConfig(live, ({ shell: { enable_exec: isOn, ...commands } }) =>
    createShellExec({
      sandbox,
      guard,
      workspace: workspaceDir,
      rules: {
        allow: isOn ? commands.allowed_commands : [],
        ask: isOn ? commands.ask_commands : [],
        deny: commands.denied_commands,
        otherwise: 'deny',
      },
    }),
  );
  return { tools: [...createToolbox({ guard, clock: systemClock, runs }), http, shell], sandbox };
}

/** Whether agents are told about a tool: one that a switch has off would only be refused. */
export function isSwitchedOn(config: Config, tool: Tool): boolean {
  // The switch may be on before the restart that brings the sandbox.
  if (tool.name === 'shell.exec') return config.shell.enable_exec && config.sandbox.active;
  if (tool.name === 'http.request') return config.network.enabled;
  if (tool.name === 'skill.read') return config.skills.enabled;
  return true;
}

/** A tool that is made again when the configuration changed; a call under way ends with the one it began with. */
function followConfig(live: LiveConfig, create: (config: Config) => Tool): Tool {
  const first = live.current().config;
  let made = { config: first, tool: create(first) };
  const current = (): Tool => {
    const { config } = live.current();
    if (config !== made.config) made = { config, tool: create(config) };
    return made.tool;
  };
  const { natureOf, judge, aims } = made.tool;
  return {
    ...made.tool,
    ...(natureOf && { natureOf: (input) => current().natureOf?.(input) ?? natureOf(input) }),
    ...(judge && { judge: (input) => current().judge?.(input) ?? judge(input) }),
    ...(aims && { aims: (input, ctx) => current().aims?.(input, ctx) ?? aims(input, ctx) }),
    execute: (input, ctx) => current().execute(input, ctx),
  };
}

/** What belongs to the runtime, wherever it lies. */
function listReserved({ paths }: LoadedConfig): readonly string[] {
  return [paths.stateDir, join(paths.root, '.claw')];
}

/** Undefined when none is configured. */
export async function openSandbox(loaded: LoadedConfig): Promise<Sandbox | undefined> {
  const { active, provider, docker_image: image } = loaded.config.sandbox;
  if (!active) return undefined;
  const place = {
    workspace: loaded.workspaceDir,
    stateRoot: loaded.paths.root,
    reserved: listReserved(loaded),
    reservedFiles: Object.values(loaded.secretFiles),
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
