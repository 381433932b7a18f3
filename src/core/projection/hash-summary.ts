import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '../json.ts';

/** Of a summary without its time: made again, it must hash alike. */
export function hashSummary(summary: JsonObject): string {
  return createHash('sha256').update(canonicalJson(summary)).digest('hex');
}
