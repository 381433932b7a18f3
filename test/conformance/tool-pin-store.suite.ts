import { describe, expect, test } from 'vitest';
import { approvePin, observePin } from '../../src/core/tools/observe-pin.ts';
import type { ToolPin } from '../../src/core/tools/tool-pin.ts';
import { type OpenStorage, openRig } from './harness.ts';

function pin(server: string, tool: string, description = 'does things'): ToolPin {
  const declaration = { description, inputSchema: { type: 'object' }, annotations: {} };
  return observePin(undefined, { server, tool, declaration, atMs: 1, approveNew: false });
}

const MANY_PINS = 1_000;

export function describeToolPinStore(engine: string, open: OpenStorage): void {
  describe(`ToolPinStore on ${engine}`, () => {
    test('finds and lists nothing in an empty store, and takes nothing', async () => {
      const { storage } = await openRig(open);

      await storage.toolPins.put([]);

      expect(await storage.toolPins.find('github', 'search')).toBeUndefined();
      expect(await storage.toolPins.list()).toEqual([]);
    });

    test('replaces whole rows', async () => {
      const { storage, reopen } = await openRig(open);
      const approved = approvePin(pin('github', 'search'), 2);
      await storage.toolPins.put([approved]);

      await storage.toolPins.put([pin('github', 'search', 'other')]);

      const { toolPins } = await reopen();
      expect(await toolPins.find('github', 'search')).toEqual(pin('github', 'search', 'other'));
      expect(await toolPins.list()).toHaveLength(1);
    });

    test('keeps an approval and any text', async () => {
      const { storage } = await openRig(open);
      const odd = approvePin(pin('srv\0', "t\ud800'\u{1f980}", 'says\0 "this"'), 7);

      await storage.toolPins.put([odd]);

      expect(await storage.toolPins.find(odd.server, odd.tool)).toEqual(odd);
      expect(await storage.toolPins.find('srv', odd.tool)).toBeUndefined();
    });

    test('lists by server and tool, of one server or of all', async () => {
      const { storage } = await openRig(open);
      const ordered = [pin('a', 'x'), pin('a', 'x y'), pin('a b', 'a'), pin('b', 'x')];

      await storage.toolPins.put([...ordered].reverse());

      expect(await storage.toolPins.list()).toEqual(ordered);
      expect(await storage.toolPins.list('a')).toEqual(ordered.slice(0, 2));
      expect(await storage.toolPins.list('none')).toEqual([]);
    });

    test('takes the last of two pins for one tool', async () => {
      const { storage } = await openRig(open);

      await storage.toolPins.put([pin('a', 'x', 'first'), pin('a', 'x', 'second')]);

      expect(await storage.toolPins.list()).toEqual([pin('a', 'x', 'second')]);
    });

    test('replaces a thousand at once, as one change, while others do the same', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      const pins = (description: string) =>
        Array.from({ length: MANY_PINS }, (_, index) => pin('big', `tool ${index}`, description));
      await storage.toolPins.put(pins('first'));

      await Promise.all([
        storage.toolPins.put(pins('second')),
        beside.toolPins.put(pins('third').reverse()),
      ]);

      const listed = await storage.toolPins.list('big');
      expect(listed).toHaveLength(MANY_PINS);
      const said = new Set(listed.map(({ seen }) => seen.description));
      expect(said.size).toBe(1);
      expect(said.has('first')).toBe(false);
    });
  });
}
