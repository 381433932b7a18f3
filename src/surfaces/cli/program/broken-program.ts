export interface BrokenProgram {
  readonly argv: readonly string[];
  readonly outputFormat: string | undefined;
  readonly thrown: unknown;
}

/**
 * What to say when the program could not be loaded, as when its files were removed while it started. It stands alone:
 * the modules that know formats and envelopes may be the ones that are missing.
 */
export function describeBrokenProgram({ argv, outputFormat, thrown }: BrokenProgram): {
  readonly stdout: string;
  readonly stderr: string;
} {
  const message = 'the program could not be loaded';
  const hint = 'install it again: a part of it is missing or damaged';
  const wantsJson =
    argv.includes('--output-format=json') ||
    argv.some((word, index) => word === '--output-format' && argv[index + 1] === 'json') ||
    outputFormat?.toLowerCase() === 'json';
  if (!wantsJson) {
    const where = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    return { stdout: '', stderr: `error: ${message}\nhint: ${hint}\n${where}\n` };
  }
  const document = {
    timestamp: `${new Date().toISOString().slice(0, 19)}Z`,
    command: argv.find((argument) => !argument.startsWith('-')) ?? '<missing>',
    exit_code: 1,
    output_format: 'json',
    schema_version: '2.0',
    error: {
      kind: 'unknown',
      operation: 'load_program',
      target: process.argv[1] ?? 'claw',
      retryable: false,
      message,
      hint,
    },
  };
  return { stdout: `${JSON.stringify(document)}\n`, stderr: '' };
}
