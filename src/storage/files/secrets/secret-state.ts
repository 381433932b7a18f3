import type { SecretPlace } from '../../../core/secrets/secret-place.ts';
import { formatMasterKey } from './secret-cipher.ts';
import type { SecretKeys } from './secret-keys.ts';
import { readSnapshot, type SecretSnapshot } from './secret-snapshot.ts';

/** What this process knows of the secrets. */
export interface SecretState {
  /** As they are now: what another process or node wrote counts from the next look on. */
  look(): Promise<SecretSnapshot>;
  /** Reads again in any case, so that a key that no longer fits shows before anything is written. */
  refresh(): Promise<SecretSnapshot>;
  adopt(snapshot: SecretSnapshot): void;
  values(): readonly string[];
}

/** Values that were replaced or removed may still be on their way through a run, and stay unspeakable. */
const MAX_RETIRED = 200;

export async function openSecretState(place: SecretPlace, keys: SecretKeys): Promise<SecretState> {
  const retired = new Set<string>();
  let current = await readSnapshot(place, keys);
  let values = listValues(current);

  function adopt(next: SecretSnapshot): SecretSnapshot {
    const present = new Set(listValues(next));
    for (const value of values) if (!present.has(value)) retire(retired, value);
    for (const value of present) retired.delete(value);
    current = next;
    values = [...present, ...retired];
    return next;
  }

  return {
    async look() {
      const mark = await place.readMark();
      return mark === current.mark ? current : adopt(await readSnapshot(place, keys));
    },
    refresh: async () => adopt(await readSnapshot(place, keys)),
    adopt,
    values: () => values,
  };
}

function listValues({ entries, key }: SecretSnapshot): readonly string[] {
  const values = [...entries.values()].map(({ value }) => value);
  return key === undefined ? values : [...values, formatMasterKey(key), key.bytes.toString('hex')];
}

function retire(retired: Set<string>, value: string): void {
  retired.add(value);
  const [oldest] = retired;
  if (retired.size > MAX_RETIRED && oldest !== undefined) retired.delete(oldest);
}
