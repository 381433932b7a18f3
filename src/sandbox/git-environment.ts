import { RuntimeError } from '../core/errors.ts';
import type { SandboxCommand } from '../core/sandbox/sandbox.ts';
import { findGitDrivers, type GitDrivers } from './git-drivers.ts';

/**
 * Settings that make git run programs, with a value that runs none. What is given through the environment counts more
 * than any file of a repository.
 */
const SETTINGS: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', ':'],
  ['sequence.editor', ':'],
  ['core.sshCommand', 'false'],
  ['core.askPass', 'false'],
  ['core.alternateRefsCommand', 'false'],
  ['credential.helper', ''],
  ['interactive.diffFilter', 'cat'],
  ['gpg.program', 'false'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['gpg.ssh.defaultKeyCommand', 'false'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  // A directory that only looks like a repository is one that somebody planted.
  ['safe.bareRepository', 'explicit'],
];

const VARIABLES: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_PAGER: 'cat',
  GIT_EDITOR: ':',
  GIT_SEQUENCE_EDITOR: ':',
  GIT_SSH_COMMAND: 'false',
  GIT_ASKPASS: 'false',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  // None: there is no network, and a remote names the program that serves it, under a name that nobody knows before.
  GIT_ALLOW_PROTOCOL: 'none',
};

/** What each kind of driver is told to run instead: as little as it can do without breaking what reads it. */
const DRIVER_SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  filter: { clean: '', smudge: '', process: '', required: 'false' },
  diff: { command: 'false', textconv: 'cat' },
  merge: { driver: 'false' },
  tar: { command: 'false' },
  trailer: { command: 'true', cmd: 'true' },
  hook: { command: 'true', enabled: 'false' },
  submodule: { update: 'checkout' },
};

/** The environment in which git runs nothing that a repository in the workspace names. */
function createGitEnvironment(drivers: GitDrivers): Readonly<Record<string, string>> {
  const settings = [...SETTINGS];
  if (drivers.hasExternalDiff) settings.push(['diff.external', 'false']);
  for (const { kind, name, keys } of drivers.found) {
    for (const [key, value] of Object.entries(DRIVER_SETTINGS[kind] ?? {})) {
      if (keys.has(key)) settings.push([`${kind}.${name}.${key}`, value]);
    }
  }
  return {
    ...VARIABLES,
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

const NAMES_GIT = /(?:^|[^\w.-])git(?:$|[^\w.-])/;

/** The environment for one command. Refuses git where a repository holds what no environment can disarm. */
export async function disarmGit(
  repositories: readonly string[],
  { command, args }: SandboxCommand,
): Promise<Readonly<Record<string, string>>> {
  const drivers = await findGitDrivers(repositories);
  if (drivers.unclear !== undefined && NAMES_GIT.test([command, ...args].join(' '))) {
    throw new RuntimeError('policy_denied', `git is not allowed here: ${drivers.unclear}`, {
      details: { reason: 'git_configuration' },
    });
  }
  return createGitEnvironment(drivers);
}
