import { join } from 'node:path';
import type { LiveConfig } from '../config/live-config.ts';
import type { Config, LoadedConfig } from '../config/load-config.ts';
import { systemClock } from '../core/clock.ts';
import type { CommandRules } from '../core/policy/command-rules/judge-command.ts';
import type { Sandbox } from '../core/sandbox/sandbox.ts';
import { mayUseSecret } from '../core/secrets/secret-references.ts';
import type { Secrets } from '../core/secrets/secrets.ts';
import type { Tool } from '../core/tools/tool.ts';
import type { ToolSwitch } from '../core/tools/tool-switch.ts';
import { createPathGuard, type PathGuard } from '../toolbox/files/paths/path-guard.ts';
import { isControlFile, isReservedName } from '../toolbox/files/paths/path-names.ts';
import { createHttpRequest } from '../toolbox/http/http-request.ts';
import { type PerWorkspace, perWorkspace } from '../toolbox/per-workspace.ts';
import type { RunToolsDeps } from '../toolbox/runs/run-tools.ts';
import { createShellExec, type ShellToolDeps } from '../toolbox/shell/shell-exec.ts';
import { createToolbox } from '../toolbox/toolbox.ts';
import { createWorkspaces, type Workspaces } from '../toolbox/workspaces.ts';

export interface ToolboxGround {
  readonly live: LiveConfig;
  readonly runs: RunToolsDeps;
  /** For references to secrets in calls. */
  readonly secrets?: Pick<Secrets, 'find'> | undefined;
}

/** Where commands of one principal run. */
type ShellPlace = Pick<ShellToolDeps, 'sandbox' | 'guard' | 'workspace'>;

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
  const { workspaceDir, config: first } = live.current();
  const workspaces = createWorkspaces({
    root: workspaceDir,
    isPerPrincipal: () => first.workspace.per_principal,
  });
  const guard = createPathGuard({ root: workspaceDir, reserved: listReserved(live.current()) });
  const guards: PerWorkspace<PathGuard> = {
    whole: guard,
    async find(principal) {
      const root = await workspaces.open(principal);
      return root === workspaceDir ? guard : guard.within(root);
    },
  };
  const sandboxes = await openSandboxes(live.current(), workspaces);
  const shells: PerWorkspace<ShellPlace> = {
    whole: { sandbox: sandboxes.whole, guard, workspace: workspaceDir },
    find: async (principal) => ({
      sandbox: await sandboxes.find(principal),
      guard: await guards.find(principal),
      workspace: await workspaces.open(principal),
    }),
  };
  const http = followConfig(live, ({ network }) =>
    createHttpRequest({
      config: {
        enabled: network.enabled,
        allowedDomains: network.allowed_domains,
        allowLocalhosts: network.allow_localhosts,
        keyDomains: network.idempotency_key_domains,
      },
      ...(secrets && {
        resolveSecret: async (name, { principal }) =>
          mayUseSecret(principal, name, network.principal_secrets) ? secrets.find(name) : undefined,
      }),
    }),
  );
  const shell = followConfig(live, (config) =>
    perWorkspace(shells, (place) =>
      createShellExec({
        ...place,
        rules: toCommandRules(config),
        awaitsRestart: awaitsSandbox(config),
      }),
    ),
  );
  const tools = [...createToolbox({ guards, clock: systemClock, runs }), http, shell];
  return { tools, sandbox: sandboxes.whole };
}

/** Nothing may run while the switch is off. */
export function toCommandRules({ shell }: Config): CommandRules {
  const { enable_exec: isOn, allowed_commands: allow, ask_commands: ask } = shell;
  return {
    allow: isOn ? allow : [],
    ask: isOn ? ask : [],
    deny: shell.denied_commands,
    otherwise: 'deny',
  };
}

/** The file has no switch without a sandbox; but the switch counts at once, and the sandbox from the next start. */
function awaitsSandbox({ shell, sandbox }: Config): boolean {
  return shell.enable_exec && !sandbox.active;
}

/** Why agents are not told about a tool: one that a switch has off would only be refused. */
export function findSwitchedOff(
  config: Config,
  { name }: Pick<Tool, 'name'>,
): ToolSwitch | undefined {
  const { shell, network, skills } = config;
  if (name === 'shell.exec' && !shell.enable_exec) {
    return { reason: 'shell.enable_exec is false', fix: 'claw enable shell' };
  }
  if (name === 'shell.exec' && awaitsSandbox(config)) {
    return { reason: 'the server was started without a sandbox', fix: 'a restart of the server' };
  }
  if (name === 'http.request' && !network.enabled) {
    return { reason: 'network.enabled is false', fix: 'claw enable network HOST' };
  }
  if (name === 'skill.read' && !skills.enabled) {
    return { reason: 'skills.enabled is false', fix: 'claw config set skills.enabled true' };
  }
  return undefined;
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

/** Principals whose sandboxes are kept ready; making one asks the system what it can do. */
const MAX_SANDBOXES = 100;

/** One for each folder that commands may run in. */
async function openSandboxes(
  loaded: LoadedConfig,
  workspaces: Workspaces,
): Promise<PerWorkspace<Sandbox | undefined>> {
  const whole = await openSandbox(loaded);
  const opened = new Map<string, Promise<Sandbox | undefined>>();
  return {
    whole,
    async find(principal) {
      const root = whole && (await workspaces.open(principal));
      if (root === undefined || root === loaded.workspaceDir) return whole;
      const known = opened.get(root) ?? openSandbox(loaded, root);
      known.catch(() => opened.delete(root));
      // The least recently used goes first.
      opened.delete(root);
      opened.set(root, known);
      for (const oldest of opened.keys()) {
        if (opened.size <= MAX_SANDBOXES) break;
        opened.delete(oldest);
      }
      return known;
    },
  };
}

/** Undefined when none is configured. */
export async function openSandbox(
  loaded: LoadedConfig,
  root: string = loaded.workspaceDir,
): Promise<Sandbox | undefined> {
  const { active, provider, docker_image: image } = loaded.config.sandbox;
  if (!active) return undefined;
  const place = {
    workspace: root,
    stateRoot: loaded.paths.root,
    ...(root !== loaded.workspaceDir && { wholeWorkspace: loaded.workspaceDir }),
    reserved: listReserved(loaded),
    reservedFiles: Object.values(loaded.secretFiles),
    protect: (name: string) => {
      if (isReservedName(name)) return 'hidden' as const;
      return isControlFile(name) ? ('read_only' as const) : ('open' as const);
    },
  };
  if (provider === 'docker') {
    const { createDockerSandbox } = await import('../sandbox/create-docker-sandbox.ts');
    // As root, commands could not write into a workspace of ours, nor we into what they left there.
    const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    return createDockerSandbox({ ...place, image, user });
  }
  const { createBwrapSandbox } = await import('../sandbox/create-bwrap-sandbox.ts');
  return createBwrapSandbox(place);
}
