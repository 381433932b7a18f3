import { RuntimeError } from '../core/errors.ts';
import type { Protection, SandboxCommand, SandboxResult } from '../core/sandbox/sandbox.ts';
import { errnoOf } from '../platform/errno-of.ts';
import { disarmGit } from './git-environment.ts';
import { refusePlanted } from './refuse-planted.ts';
import { sandboxUnavailable } from './unavailable.ts';
import { type MountPlan, planMounts, resolveInWorkspace } from './workspace-mounts.ts';

/** What every provider is told about the machine that commands must not harm. */
export interface PlaceConfig {
  readonly workspace: string;
  readonly stateRoot?: string;
  readonly wholeWorkspace?: string;
  readonly readOnlyPaths?: readonly string[];
  readonly reserved?: readonly string[];
  readonly reservedFiles?: readonly string[];
  readonly protect?: (name: string) => Protection;
  /** The operator's additions to the environment of every command. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What the provider itself shows to commands and keeps from them. */
export interface ProviderTraits {
  readonly name: string;
  readonly systemPaths: readonly string[];
  readonly mayHaveSetIds: boolean;
}

/** The surroundings of one command. */
export interface Place extends MountPlan {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** To be called when the command is over, however it ended. */
  leave(result: SandboxResult | undefined): Promise<SandboxResult | undefined>;
}

export async function openPlace(
  config: PlaceConfig,
  traits: ProviderTraits,
  command: SandboxCommand,
): Promise<Place> {
  const protect = config.protect ?? (() => 'open' as const);
  const plan = await planMounts({
    workspace: config.workspace,
    stateRoot: config.stateRoot,
    wholeWorkspace: config.wholeWorkspace,
    readOnlyPaths: config.readOnlyPaths ?? [],
    systemPaths: traits.systemPaths,
    reserved: config.reserved ?? [],
    reservedFiles: config.reservedFiles ?? [],
    protect,
  }).catch((thrown: unknown) => {
    throw sandboxUnavailable(traits.name, toReason(thrown, config.workspace));
  });
  const git = await disarmGit(plan.survey.repositories, command);
  return {
    ...plan,
    cwd: resolveInWorkspace(plan.workspace, command.cwd ?? '.'),
    // Last: nothing that an operator sets for commands is meant to arm git again.
    env: { ...config.env, ...command.env, ...git },
    async leave(result) {
      const planted = await refusePlanted({ plan, protect, mayHaveSetIds: traits.mayHaveSetIds });
      return result && planted.length > 0 ? { ...result, planted } : result;
    },
  };
}

function toReason(thrown: unknown, workspace: string): string {
  if (thrown instanceof RuntimeError) throw thrown;
  const errno = errnoOf(thrown);
  if (errno !== undefined) return `${workspace} can't be read (${errno})`;
  return thrown instanceof Error ? thrown.message : 'unknown reason';
}
