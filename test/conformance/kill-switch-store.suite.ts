import { describe, expect, test } from 'vitest';
import { type OpenStorage, openRig } from './harness.ts';

const STOP = { isOn: true, reason: 'mail to everybody \0', actor: 'operator' };
const GO_ON = { isOn: false, reason: '', actor: 'operator' };

export function describeKillSwitchStore(engine: string, open: OpenStorage): void {
  describe(`KillSwitchStore on ${engine}`, () => {
    test('is untouched at first, and keeps who turned it when and why', async () => {
      const { storage, clock, reopen } = await openRig(open);
      const before = await storage.killSwitch.list(10);
      const atMs = clock.nowMs();

      const on = await storage.killSwitch.turn(STOP);
      clock.advance(5);
      const off = await storage.killSwitch.turn(GO_ON);

      const { killSwitch } = await reopen();
      expect(before).toEqual([]);
      expect(on).toEqual({ no: 1, ...STOP, atMs });
      expect(off).toEqual({ no: 2, ...GO_ON, atMs: atMs + 5 });
      expect(await killSwitch.list(10)).toEqual([off, on]);
      expect(await killSwitch.list(1)).toEqual([off]);
    });

    test('does not change what is so already', async () => {
      const { storage } = await openRig(open);

      const on = await storage.killSwitch.turn(STOP);
      const again = await storage.killSwitch.turn(STOP);
      const other = await storage.killSwitch.turn({ ...STOP, reason: 'another' });

      expect(again).toEqual(on);
      expect(other).toMatchObject({ no: 2, reason: 'another' });
    });

    test('numbers changes without gaps, whichever node they are made on', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();

      await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).killSwitch.turn({ ...STOP, reason: `${index}` }),
        ),
      );

      const changes = await storage.killSwitch.list(100);
      expect(changes.map(({ no }) => no)).toEqual(
        Array.from({ length: 16 }, (_, index) => 16 - index),
      );
    });
  });
}
