import { isJsonObject } from '../../core/json.ts';
import type { RemoteProvider } from './embedding-service.ts';

/** What a provider is asked, and how its answer is read. */
export interface WireFormat {
  /** Texts of one request. */
  readonly maxTexts: number;
  path(modelName: string): string;
  headers(key: string | undefined): Readonly<Record<string, string>>;
  body(texts: readonly string[], asked: Asked): object;
  /** Undefined when the answer is of another shape. */
  read(answer: unknown): unknown[] | undefined;
}

interface Asked {
  readonly modelName: string;
  readonly kind: 'document' | 'query';
}

/** Enough to tell texts apart; its largest vectors are four times as long. */
const GOOGLE_DIMENSIONS = 768;

const openai: WireFormat = {
  maxTexts: 128,
  path: () => '/embeddings',
  headers: (key): Readonly<Record<string, string>> =>
    key === undefined ? {} : { authorization: `Bearer ${key}` },
  body: (texts, { modelName }) => ({ model: modelName, input: texts, encoding_format: 'float' }),
  read(answer) {
    const rows = membersOf(answer, 'data');
    // They come in order everywhere, but only the index is promised.
    return rows
      ?.toSorted((a, b) => indexOf(a) - indexOf(b))
      .map((row) => (isJsonObject(row) ? row['embedding'] : undefined));
  },
};

const ollama: WireFormat = {
  maxTexts: 32,
  path: () => '/api/embed',
  headers: () => ({}),
  body: (texts, { modelName, kind }) => ({
    model: modelName,
    input: texts.map((text) => withTask(text, modelName, kind)),
  }),
  read: (answer) => membersOf(answer, 'embeddings'),
};

const google: WireFormat = {
  maxTexts: 100,
  path: (modelName) => `/models/${encodeURIComponent(modelName)}:batchEmbedContents`,
  headers: (key): Readonly<Record<string, string>> =>
    key === undefined ? {} : { 'x-goog-api-key': key },
  body: (texts, { modelName, kind }) => ({
    requests: texts.map((text) => ({
      model: `models/${modelName}`,
      content: { parts: [{ text }] },
      taskType: kind === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT',
      outputDimensionality: GOOGLE_DIMENSIONS,
    })),
  }),
  read: (answer) =>
    membersOf(answer, 'embeddings')?.map((row) => (isJsonObject(row) ? row['values'] : undefined)),
};

export const WIRE_FORMATS = {
  openai,
  ollama,
  google,
  openai_compatible: openai,
} as const satisfies Record<RemoteProvider, WireFormat>;

/** Models of this family were trained with the task written before the text. */
function withTask(text: string, modelName: string, kind: 'document' | 'query'): string {
  return /^nomic-embed/.test(modelName) ? `search_${kind}: ${text}` : text;
}

function membersOf(answer: unknown, name: string): unknown[] | undefined {
  const members = isJsonObject(answer) ? answer[name] : undefined;
  return Array.isArray(members) ? members : undefined;
}

function indexOf(row: unknown): number {
  const index = isJsonObject(row) ? row['index'] : undefined;
  return typeof index === 'number' ? index : 0;
}
