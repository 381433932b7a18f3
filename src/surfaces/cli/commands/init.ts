import { homedir } from 'node:os';
import { dirname, relative } from 'node:path';
import { RuntimeError } from '../../../core/errors.ts';
import { quoteForShell } from '../print/quote-for-shell.ts';
import { formatWarning } from '../print/style.ts';
import { defineCommand } from '../program/command.ts';
import type { CliContext, FilledRoot } from '../program/context.ts';
import { parseError } from '../program/errors.ts';

interface Initialized extends FilledRoot {
  readonly root: string;
  readonly rootFrom: CliContext['rootFrom'];
  readonly nextSteps: readonly string[];
}

export const init = defineCommand({
  usage: '[--here]',
  description:
    'Creates what is missing under the state root and leaves everything else as it is, says which is which, and what\n' +
    'to do next. Doing it again is harmless; claw serve, claw chat and claw ask do it by themselves. With --here the\n' +
    'working directory, or that of --root, is state root and workspace in one: agents work on the project in it, and\n' +
    'neither they nor git see .openclawssy and .claw.',
  args: { min: 0, max: 0 },
  options: {
    here: { kind: 'flag', summary: 'make this folder the workspace, to work on the project in it' },
  },
  examples: ['claw init', 'claw init --here', 'claw init --root ~/agents --output-format json'],
  namesRoot: true,
  run: ({ options }, context) => (options.here ? initializeHere(context) : initialize(context)),
  fields: ({ root, rootFrom, workspaceDir, created, existing, warnings, nextSteps }) => ({
    root,
    root_from: rootFrom,
    workspace: workspaceDir,
    created: created.map((path) => show(root, path)),
    existing: existing.map((path) => show(root, path)),
    warnings,
    next_steps: nextSteps,
  }),
  text: ({ root, rootFrom, workspaceDir, created, existing, warnings, nextSteps }, style) =>
    [
      ...(rootFrom === 'above' ? [describeAbove(root)] : []),
      ...list(`created in ${root}:`, created, root),
      ...list(
        created.length === 0 ? `${root} has everything already:` : 'was there already:',
        existing,
        root,
      ),
      `agents work in ${workspaceDir}`,
      ...warnings.map((warning) => formatWarning(warning, style)),
      'next:',
      ...nextSteps.map((step) => `  ${step}`),
    ].join('\n'),
});

async function initialize({ root, rootFrom, parts }: CliContext): Promise<Initialized> {
  const isNamed = rootFrom === 'flag';
  const prepared = await parts.prepareRoot(root);
  return { root, rootFrom, ...prepared, nextSteps: listNextSteps(root, isNamed) };
}

/** A state root above does not count: this folder gets one of its own. */
async function initializeHere(context: CliContext): Promise<Initialized> {
  const { parts, rootFrom } = context;
  if (rootFrom === 'environment') {
    throw parseError('CLAW_ROOT names another state root than the folder here', {
      target: 'init',
      hint: 'unset CLAW_ROOT, or name the folder with --root',
    });
  }
  const root = rootFrom === 'above' ? process.cwd() : context.root;
  if (root === homedir() || dirname(root) === root) {
    throw parseError(`${root} is more than a project: agents would reach everything in it`, {
      target: 'init',
      hint: 'go to the folder of the project, or name it with --root',
    });
  }
  const prepared = await parts.prepareRoot(root, { workspaceRoot: '.' });
  if (prepared.workspaceDir !== root) {
    throw new RuntimeError('conflict', `agents of ${root} work in ${prepared.workspaceDir}`, {
      details: {
        target: root,
        hint: `claw config set workspace.root . --root ${quoteForShell(root)} changes that`,
      },
    });
  }
  const from = rootFrom === 'flag' ? 'flag' : 'working_directory';
  return { root, rootFrom: from, ...prepared, nextSteps: listNextSteps(root, from === 'flag') };
}

function describeAbove(root: string): string {
  return `this folder belongs to the state root ${root}; claw init --root . makes one of its own`;
}

/** A root elsewhere has to be named again each time, or the next command would make another one here. */
function listNextSteps(root: string, isNamed: boolean): string[] {
  const at = !isNamed || isWorkingDirectory(root) ? '' : ` --root ${quoteForShell(root)}`;
  return [
    `claw chat${at} talks with your agent; claw ask${at} "what is in my workspace?" asks once`,
    `claw secrets set provider/anthropic/api_key${at} stores a key; without one a small offline model answers`,
    `claw serve${at} starts the server`,
    `claw doctor${at} checks everything`,
  ];
}

function isWorkingDirectory(path: string): boolean {
  try {
    return process.cwd() === path;
  } catch {
    // It was removed; whoever names another root can work all the same.
    return false;
  }
}

function list(title: string, paths: readonly string[], root: string): string[] {
  return paths.length === 0 ? [] : [title, ...paths.map((path) => `  ${show(root, path)}`)];
}

/** Relative to the root, with `/` on every platform; the root itself is `.`. */
function show(root: string, path: string): string {
  const inside = relative(root, path).replaceAll('\\', '/');
  return inside === '' ? '.' : inside;
}
