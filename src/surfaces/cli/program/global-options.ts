import type { OptionSpecs } from './command.ts';
import type { OutputFormat } from './context.ts';

const FORMATS = ['text', 'json'] as const;
const ENVELOPE_VERSIONS = ['1.0', '2.0'] as const;
export type EnvelopeVersion = (typeof ENVELOPE_VERSIONS)[number];

/** Understood by every command, before or after its name. */
export const GLOBAL_OPTIONS = {
  'output-format': {
    kind: 'choice',
    value: 'FORMAT',
    choices: FORMATS,
    summary: 'text, or json: one document on standard output (CLAW_OUTPUT_FORMAT)',
  },
  'envelope-version': {
    kind: 'choice',
    value: 'VERSION',
    choices: ENVELOPE_VERSIONS,
    summary:
      'shape of JSON documents: 2.0, or 1.0 for scripts that were written for it (default 2.0)',
  },
  'legacy-envelope': { kind: 'flag', summary: 'the same as --envelope-version 1.0' },
  root: {
    kind: 'text',
    value: 'DIR',
    summary: 'state root (CLAW_ROOT; default: the nearest one upwards, else the working directory)',
  },
  'no-color': { kind: 'flag', summary: 'no colours (NO_COLOR)' },
  help: { kind: 'flag', short: 'h', summary: 'explain the command' },
  version: { kind: 'flag', short: 'V', summary: 'print the version' },
} as const satisfies OptionSpecs;

/** How errors have to look, found before anything is parsed. */
export interface AskedOutput {
  readonly format: OutputFormat;
  readonly envelope: EnvelopeVersion;
}

/**
 * A command line that can't be parsed must still fail in the format and the version it asked for. The last wish that
 * makes sense counts: a value that is refused later must not take back what was asked for beside it.
 */
export function findAskedOutput(argv: readonly string[], fromEnvironment?: string): AskedOutput {
  let format: OutputFormat = fromEnvironment?.toLowerCase() === 'json' ? 'json' : 'text';
  let envelope: EnvelopeVersion = '2.0';
  for (const [index, argument] of argv.entries()) {
    if (argument === '--') break;
    const [name, inline] = argument.split('=', 2);
    const value = inline ?? argv[index + 1];
    if (name === '--output-format') format = FORMATS.find((known) => known === value) ?? format;
    if (name === '--envelope-version')
      envelope = ENVELOPE_VERSIONS.find((known) => known === value) ?? envelope;
    if (argument === '--legacy-envelope') envelope = '1.0';
  }
  return { format, envelope };
}
