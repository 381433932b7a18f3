import { relative } from 'node:path';
import { defineCommand } from '../command.ts';

const NEXT_STEPS = [
  'claw serve starts the server',
  'claw ask "what is in my workspace?" asks without one',
  'CLAW_MODEL, or model.default in .openclawssy/config.json, chooses the model',
];

export const init = defineCommand({
  usage: '',
  description:
    'Creates what is missing under the state root and leaves everything else as it is. Doing it again is harmless;\n' +
    'claw serve and claw ask do it by themselves.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw init', 'claw init --root ~/agents --output-format json'],
  run: async (_input, { root, parts }) => ({ root, ...(await parts.prepareRoot(root)) }),
  fields: ({ root, created, warnings }) => ({
    root,
    created: created.map((path) => show(root, path)),
    warnings,
    next_steps: NEXT_STEPS,
  }),
  text: ({ root, created, warnings }, style) =>
    [
      created.length === 0
        ? `${root} has everything already`
        : `created in ${root}:\n${created.map((path) => `  ${show(root, path)}`).join('\n')}`,
      ...warnings.map((warning) => `${style.yellow('warning:')} ${warning}`),
      `next:\n${NEXT_STEPS.map((step) => `  ${step}`).join('\n')}`,
    ].join('\n'),
});

/** Relative to the root, with `/` on every platform; the root itself is `.`. */
function show(root: string, path: string): string {
  const inside = relative(root, path).replaceAll('\\', '/');
  return inside === '' ? '.' : inside;
}
