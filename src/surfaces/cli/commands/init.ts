import { relative } from 'node:path';
import { defineCommand } from '../command.ts';
import { quoteForShell } from '../quote-for-shell.ts';

export const init = defineCommand({
  usage: '',
  description:
    'Creates what is missing under the state root and leaves everything else as it is, says which is which, and what\n' +
    'to do next. Doing it again is harmless; claw serve, claw chat and claw ask do it by themselves.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw init', 'claw init --root ~/agents --output-format json'],
  run: async (_input, { root, parts }) => ({
    root,
    ...(await parts.prepareRoot(root)),
    nextSteps: listNextSteps(root),
  }),
  fields: ({ root, created, existing, warnings, nextSteps }) => ({
    root,
    created: created.map((path) => show(root, path)),
    existing: existing.map((path) => show(root, path)),
    warnings,
    next_steps: nextSteps,
  }),
  text: ({ root, created, existing, warnings, nextSteps }, style) =>
    [
      ...list(`created in ${root}:`, created, root),
      ...list(
        created.length === 0 ? `${root} has everything already:` : 'was there already:',
        existing,
        root,
      ),
      ...warnings.map((warning) => `${style.yellow('warning:')} ${warning}`),
      'next:',
      ...nextSteps.map((step) => `  ${step}`),
    ].join('\n'),
});

/** A root elsewhere has to be named again each time, or the next command would make another one here. */
function listNextSteps(root: string): string[] {
  const at = isWorkingDirectory(root) ? '' : ` --root ${quoteForShell(root)}`;
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
