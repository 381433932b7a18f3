import { expect, test } from 'vitest';
import { type ClawOptions, type ClawRoot, openClawRoot } from '../../e2e/cli/claw.ts';
import { documentSchemaOf } from './document-schemas.ts';
import { checkFixture, readFixture } from './fixtures.ts';
import { type Document, steady } from './steady.ts';
import { findProblems } from './validate-schema.ts';

/** A command of contract 3 and everything it promises, as literals. */
export interface ContractCommand {
  readonly command: string;
  /** Puts into a fresh state root what the command needs. The options reach the program. */
  readonly prepare?: Prepare;
  /** The document is the fixture. */
  readonly success: {
    readonly args: readonly string[];
    readonly text: string | RegExp;
    /** What people are told meanwhile, in text mode. */
    readonly notes?: RegExp;
  };
  readonly failures: readonly ContractFailure[];
}

export type Prepare = (root: ClawRoot) => Promise<ClawOptions | undefined>;

export interface ContractFailure {
  readonly title: string;
  readonly args: readonly string[];
  /** Members beside the error. */
  readonly fields?: Document;
  readonly error: Document;
  readonly legacyKind: string;
  /** Of the process in text mode: 2 for a command line that can't be read. */
  readonly textCode: number;
  /** What text mode says before the error. */
  readonly textStdout?: string;
  readonly prepare?: Prepare;
}

const JSON_FORMAT = ['--output-format', 'json'];
/** Each way to ask for an envelope, before the command or behind it. */
const CURRENT = [[...JSON_FORMAT], ['--output-format=json', '--envelope-version=2.0']] as const;
const LEGACY = [
  [...JSON_FORMAT, '--legacy-envelope'],
  ['--output-format=json', '--envelope-version', '1.0'],
] as const;

export function describeContractCommand(contract: ContractCommand): void {
  const { command, success, failures } = contract;
  const schema = documentSchemaOf(command);

  test(`${command}: success in JSON, envelope 2.0`, async () => {
    const [first, ...others] = await documents(contract, CURRENT, success.args);

    await checkFixture(command, first?.document);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(findProblems(schema, first?.document)).toEqual([]);
    for (const other of others) expect(other).toEqual(first);
  });

  test(`${command}: success in JSON, envelope 1.0`, async () => {
    const {
      timestamp,
      command: _,
      exit_code,
      output_format,
      schema_version,
      ...fields
    } = await readFixture(command);
    const expected = { kind: command, type: 'success', ...fields };

    for (const given of await documents(contract, LEGACY, success.args)) {
      expect(given).toEqual({ code: 0, stderr: '', document: expected });
      expect(findProblems(definition(schema, 'legacy_success'), given.document)).toEqual([]);
    }
  });

  test(`${command}: success in text, whatever the envelope`, async () => {
    for (const flags of [[], ['--output-format', 'text'], ['--legacy-envelope']]) {
      const isShipped = flags.length === 0;
      const said = await run(contract, [command, ...success.args, ...flags], { isShipped });

      const stdout =
        typeof success.text === 'string' ? success.text : expect.stringMatching(success.text);
      const stderr = success.notes === undefined ? '' : expect.stringMatching(success.notes);
      expect(said).toEqual({ code: 0, stdout, stderr });
    }
  });

  for (const failure of failures) describeFailure(contract, failure, schema);
}

function describeFailure(
  contract: ContractCommand,
  failure: ContractFailure,
  schema: Document,
): void {
  const { command } = contract;
  const given = { ...contract, prepare: failure.prepare ?? contract.prepare };
  const { message, hint } = failure.error as { message: string; hint?: string };

  test(`${command}: ${failure.title} in JSON, envelope 2.0`, async () => {
    const expected = {
      timestamp: '2026-04-22T10:10:00Z',
      command,
      exit_code: 1,
      output_format: 'json',
      schema_version: '2.0',
      ...failure.fields,
      error: failure.error,
    };

    for (const ended of await documents(given, CURRENT, failure.args)) {
      expect(ended).toEqual({ code: 1, stderr: '', document: expected });
      expect(findProblems(schema, ended.document)).toEqual([]);
    }
  });

  test(`${command}: ${failure.title} in JSON, envelope 1.0`, async () => {
    const expected = {
      type: 'error',
      error: message,
      kind: failure.legacyKind,
      hint: hint ?? null,
    };

    for (const ended of await documents(given, LEGACY, failure.args)) {
      expect(ended).toEqual({ code: 1, stderr: '', document: expected });
      expect(findProblems(definition(schema, 'legacy_error'), ended.document)).toEqual([]);
    }
  });

  test(`${command}: ${failure.title} in text`, async () => {
    const said = await run(given, [command, ...failure.args]);

    expect(said).toEqual({
      code: failure.textCode,
      stdout: failure.textStdout ?? '',
      stderr: `error: ${message}\n${hint === undefined ? '' : `hint: ${hint}\n`}`,
    });
  });
}

/** A command line that can't be read. */
export function parseFailure(
  title: string,
  args: readonly string[],
  error: { readonly target: string; readonly message: string; readonly hint?: string },
): ContractFailure {
  return {
    title,
    args,
    error: { kind: 'parse', operation: 'parse_arguments', retryable: false, ...error },
    legacyKind: 'cli_parse',
    textCode: 2,
  };
}

function definition(schema: Document, name: string): Document {
  return { $ref: `#/$defs/${name}`, $defs: schema['$defs'] };
}

interface Prepared {
  readonly command: string;
  readonly prepare?: Prepare | undefined;
}

/** The documents of one command line under each of these flags: before the command, then behind it. */
async function documents(
  contract: Prepared,
  variants: readonly (readonly string[])[],
  args: readonly string[],
) {
  const ended = [];
  for (const [index, flags] of variants.entries()) {
    const words = [contract.command, ...args];
    const { code, stdout, stderr } = await run(
      contract,
      index % 2 === 0 ? [...words, ...flags] : [...flags, ...words],
    );
    expect(stdout.endsWith('\n') && !stdout.slice(0, -1).includes('\n')).toBe(true);
    ended.push({ code, stderr, document: JSON.parse(stdout) as Document });
  }
  return ended;
}

/**
 * In a state root of its own, so that nothing depends on what ran before. The shipped program says the same as the
 * process of the test does, and takes many times as long to start.
 */
async function run({ prepare }: Prepared, args: readonly string[], { isShipped = false } = {}) {
  const root = await openClawRoot();
  try {
    const options = await prepare?.(root);
    const { code, stdout, stderr } = await (isShipped ? root.claw : root.inline)(args, options);
    return { code, stdout: steady(stdout, root.path), stderr: steady(stderr, root.path) };
  } finally {
    await root.dispose();
  }
}
