import { defined } from '../../core/defined.ts';
import { isJsonObject } from '../../core/json.ts';
import type { ModelSettings } from '../../core/loop/model.ts';
import type { Prompt } from '../../core/loop/prompt.ts';
import { checkText } from './decode-content.ts';
import { invalid, unsupported } from './refuse.ts';

/** Numbers that Chat Completions and Responses have in common; null is as good as absent. */
export interface WireSettings {
  readonly temperature?: number | null | undefined;
  readonly top_p?: number | null | undefined;
  readonly presence_penalty?: number | null | undefined;
  readonly frequency_penalty?: number | null | undefined;
  readonly seed?: number | null | undefined;
  readonly parallel_tool_calls?: boolean | null | undefined;
}

export function decodeSettings(body: WireSettings): ModelSettings {
  return defined({
    temperature: body.temperature ?? undefined,
    topP: body.top_p ?? undefined,
    presencePenalty: body.presence_penalty ?? undefined,
    frequencyPenalty: body.frequency_penalty ?? undefined,
    seed: body.seed ?? undefined,
    singleCall: body.parallel_tool_calls === false ? (true as const) : undefined,
  });
}

/** Choices among the caller's tools say nothing without them. */
type Manner = Exclude<keyof ModelSettings, 'toolChoice' | 'singleCall'>;

/** What a dialect calls the settings that it has in a spelling of its own. */
export type SettingNames = Readonly<Record<'maxOutputTokens' | 'json', string>>;

/** The fields that tell a model how to answer, of those that say something. */
export function listManner(
  { clientTools, settings }: Pick<Prompt, 'clientTools' | 'settings'>,
  names: SettingNames,
): readonly string[] {
  const fields: Readonly<Record<Manner, string>> = {
    temperature: 'temperature',
    topP: 'top_p',
    presencePenalty: 'presence_penalty',
    frequencyPenalty: 'frequency_penalty',
    seed: 'seed',
    stop: 'stop',
    ...names,
  };
  const told = Object.entries(fields).filter(([name]) => Object.hasOwn(settings, name));
  return [...(clientTools.length === 0 ? [] : ['tools']), ...told.map(([, field]) => field)];
}

const MAX_STOPS = 16;

export function decodeStop(stop: unknown): readonly string[] | undefined {
  if (stop === undefined || stop === null) return undefined;
  const given: readonly unknown[] = Array.isArray(stop) ? stop : [stop];
  if (given.length > MAX_STOPS) throw invalid('stop', `must have at most ${MAX_STOPS} items`);
  const texts = given.map((text) => checkText(text, 'stop')).filter((text) => text !== '');
  return texts.length === 0 ? undefined : texts;
}

/** `holder`: where the schema stands; Chat Completions has it in `json_schema`, Responses in the format itself. */
export function decodeFormat(
  format: unknown,
  field: string,
  holder: 'json_schema' | 'format',
): ModelSettings['json'] {
  if (format === undefined || format === null) return undefined;
  if (!isJsonObject(format)) throw invalid(field, 'must be an object');
  switch (format['type']) {
    case 'text':
      return undefined;
    case 'json_object':
      return {};
    case 'json_schema':
      return decodeSchema(holder === 'format' ? format : format[holder], `${field}.json_schema`);
    default:
      throw unsupported(`${field}.type`, 'must be text, json_object or json_schema');
  }
}

function decodeSchema(given: unknown, field: string): NonNullable<ModelSettings['json']> {
  const { name, description, schema } = isJsonObject(given) ? given : {};
  if (!isJsonObject(schema)) throw invalid(`${field}.schema`, 'must be an object');
  return defined({
    name: typeof name === 'string' ? checkText(name, `${field}.name`) : undefined,
    description:
      typeof description === 'string' ? checkText(description, `${field}.description`) : undefined,
    schema,
  });
}
