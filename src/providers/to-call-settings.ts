import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { defined } from '../core/defined.ts';
import type { ModelSettings } from '../core/loop/model.ts';
import type { WireNames } from './wire-names.ts';

/** Settings as the SDK takes them; what a provider does not know, its client leaves out. */
export function toCallSettings(
  settings: ModelSettings = {},
): Omit<LanguageModelV3CallOptions, 'prompt'> {
  const { temperature, topP, presencePenalty, frequencyPenalty, seed, stop, json } = settings;
  return defined({
    ...{ temperature, topP, presencePenalty, frequencyPenalty, seed },
    stopSequences: stop && [...stop],
    responseFormat: json && toResponseFormat(json),
  });
}

/** Only with tools to choose from. */
export function toToolChoice(
  { toolChoice }: ModelSettings = {},
  names: WireNames,
): Pick<LanguageModelV3CallOptions, 'toolChoice'> {
  if (toolChoice === undefined) return {};
  if (typeof toolChoice === 'string') return { toolChoice: { type: toolChoice } };
  return { toolChoice: { type: 'tool', toolName: names.toWire(toolChoice.tool) } };
}

type ResponseFormat = NonNullable<LanguageModelV3CallOptions['responseFormat']>;

function toResponseFormat(json: NonNullable<ModelSettings['json']>): ResponseFormat {
  const { name, description, schema } = json;
  return {
    type: 'json',
    ...defined({ name, description }),
    ...(schema === undefined
      ? {}
      : { schema: schema as Extract<ResponseFormat, { type: 'json' }>['schema'] & object }),
  };
}
