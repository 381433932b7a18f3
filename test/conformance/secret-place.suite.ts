import { describe, expect, test } from 'vitest';
import type { SecretPlace } from '../../src/core/secrets/secret-place.ts';

export interface OpenedPlace {
  readonly place: SecretPlace;
  /** The same place as another process sees it. */
  readonly beside: SecretPlace;
}

export function describeSecretPlace(engine: string, open: () => Promise<OpenedPlace>): void {
  describe(`SecretPlace on ${engine}`, () => {
    test('is empty before anything was stored', async () => {
      const { place } = await open();

      expect(await place.read()).toEqual({ mark: await place.readMark(), text: undefined });
    });

    test('holds what was put there last, for everybody, under a mark that moves on', async () => {
      const { place, beside } = await open();
      const none = await place.readMark();
      const first = (await place.replace('{"one":"ä ✓"}', none)) ?? '';

      const second = (await beside.replace('{"two":2}', first)) ?? '';

      expect(new Set([none, first, second]).size).toBe(3);
      expect(await place.readMark()).toBe(second);
      expect(await place.read()).toEqual({ mark: second, text: '{"two":2}' });
      expect(await beside.read()).toEqual({ mark: second, text: '{"two":2}' });
    });
  });
}
