import type { JsonObject } from '../../../core/json.ts';
import type { Style } from '../print/style.ts';
import type { CliContext } from './context.ts';
import type { Failure } from './failure.ts';

/** An option on the command line. Flags have no defaults of their own: config and core have them. */
export type OptionSpec =
  | { readonly kind: 'flag'; readonly summary: string; readonly short?: string }
  | {
      readonly kind: 'text';
      readonly value: string;
      readonly summary: string;
      readonly short?: string;
    }
  /** A text that may be given several times. */
  | { readonly kind: 'list'; readonly value: string; readonly summary: string }
  | {
      readonly kind: 'number';
      readonly value: string;
      readonly summary: string;
      readonly min: number;
      readonly max: number;
      readonly isWhole: boolean;
    }
  | {
      readonly kind: 'choice';
      readonly value: string;
      readonly summary: string;
      readonly choices: readonly string[];
    };

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

type OptionValue<Spec> = Spec extends { readonly kind: 'flag' }
  ? boolean
  : Spec extends { readonly kind: 'list' }
    ? readonly string[]
    : Spec extends { readonly kind: 'number' }
      ? number | undefined
      : Spec extends { readonly kind: 'choice'; readonly choices: readonly (infer Choice)[] }
        ? Choice | undefined
        : string | undefined;

export type OptionValues<Specs extends OptionSpecs> = {
  readonly [Name in keyof Specs]: OptionValue<Specs[Name]>;
};

export interface CommandInput<Specs extends OptionSpecs> {
  readonly args: readonly string[];
  readonly options: OptionValues<Specs>;
}

/** Data in, data out: printing, envelopes and exit codes are `render.ts`'s. */
export interface CommandDefinition<Specs extends OptionSpecs, Result> {
  /** What follows the name in the usage line. */
  readonly usage: string;
  /** Said in the command's help below its summary. */
  readonly description: string;
  readonly args: { readonly min: number; readonly max: number };
  readonly options: Specs;
  readonly examples: readonly string[];
  /** What the first argument may be, for completion in shells; the command checks it itself. */
  readonly choices?: readonly string[];
  /** True for a command that ends by itself, in order, when `context.signal` aborts. */
  readonly handlesInterrupt?: boolean;
  /** True for a command that says itself where the state root is. */
  readonly namesRoot?: boolean;
  /** True for a command that speaks a protocol on standard output: nothing else is written there, also not in JSON. */
  readonly ownsOutput?: boolean;
  run(input: CommandInput<Specs>, context: CliContext): Promise<Result>;
  /** The result's own members of the JSON document. */
  fields(result: Result): JsonObject;
  text(result: Result, style: Style): string;
  /** Said when the command did its work and the result is bad news. */
  failure?(result: Result): Failure | undefined;
  /** Goes on after the result was printed, as a server does. */
  linger?(result: Result, context: CliContext): Promise<void>;
}

/** A command whose types are settled. */
export interface Command
  extends Pick<
    CommandDefinition<OptionSpecs, unknown>,
    'usage' | 'description' | 'args' | 'options' | 'examples'
  > {
  readonly choices: readonly string[];
  readonly handlesInterrupt: boolean;
  readonly namesRoot: boolean;
  readonly ownsOutput: boolean;
  execute(input: CommandInput<OptionSpecs>, context: CliContext): Promise<Execution>;
}

interface Execution {
  readonly fields: JsonObject;
  readonly failure: Failure | undefined;
  text(style: Style): string;
  linger(): Promise<void>;
}

export function defineCommand<const Specs extends OptionSpecs, Result>(
  definition: CommandDefinition<Specs, Result>,
): Command {
  const { usage, description, args, options, examples } = definition;
  const { choices = [], handlesInterrupt = false, ownsOutput = false } = definition;
  const { namesRoot = false } = definition;
  return {
    usage,
    description,
    args,
    options,
    examples,
    choices,
    handlesInterrupt,
    namesRoot,
    ownsOutput,
    async execute(input, context) {
      // The parser has read exactly these options.
      const result = await definition.run(input as CommandInput<Specs>, context);
      return {
        fields: definition.fields(result),
        failure: definition.failure?.(result),
        text: (style) => definition.text(result, style),
        linger: async () => definition.linger?.(result, context),
      };
    },
  };
}
