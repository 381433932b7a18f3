import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/** The arguments that a question is about; undefined for what another version wrote in another way. */
export function parseInput(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
