import type { OptionSpecs } from './command.ts';
import type { OutputFormat } from './context.ts';

export const FORMATS = ['text', 'json'] as const;

/** Understood by every command, before or after its name. */
export const GLOBAL_OPTIONS = {
  'output-format': {
    kind: 'choice',
    value: 'FORMAT',
    choices: FORMATS,
    summary: 'text, or json: one document on standard output (CLAW_OUTPUT_FORMAT)',
  },
  root: {
    kind: 'text',
    value: 'DIR',
    summary: 'state root (CLAW_ROOT; default: the working directory)',
  },
  'no-color': { kind: 'flag', summary: 'no colours (NO_COLOR)' },
  help: { kind: 'flag', short: 'h', summary: 'explain the command' },
  version: { kind: 'flag', short: 'V', summary: 'print the version' },
} as const satisfies OptionSpecs;

/**
 * Which format errors have to be in, found before anything is parsed: a command line that can't be parsed must still
 * fail in the format it asked for.
 */
export function findFormat(argv: readonly string[], fromEnvironment?: string): OutputFormat {
  let format = fromEnvironment?.toLowerCase() === 'json' ? 'json' : 'text';
  for (const [index, argument] of argv.entries()) {
    if (argument === '--') break;
    const [name, inline] = argument.split('=', 2);
    if (name === '--output-format') format = (inline ?? argv[index + 1]) || 'text';
  }
  return format === 'json' ? 'json' : 'text';
}
