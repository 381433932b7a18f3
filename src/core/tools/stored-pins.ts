import { compareTexts } from '../compare-texts.ts';
import { defined } from '../defined.ts';
import { put } from '../store/change.ts';
import { collection } from '../store/collection.ts';
import { find, list } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import { defineWrite } from '../store/write.ts';
import type { ToolPin, ToolPinStore } from './tool-pin.ts';

interface PinRow extends Pick<ToolPin, 'server' | 'tool'> {
  readonly pin: Omit<ToolPin, 'server' | 'tool'>;
}

export const TOOL_PINS = collection<PinRow>()('tool_pins', 'server', 'tool');

/** All of them are read: a pin left out would make a known tool look new. Nobody has as many. */
const MAX_PINS = 1_000_000;

const putPins = defineWrite({
  name: 'tool_pins.put',
  locks: () => ['tool_pins'],
  needs: (_pins: readonly ToolPin[]) => ({}),
  decide: (_found, pins) => ({
    value: undefined,
    changes: pins.map(({ server, tool, ...pin }) => put(TOOL_PINS, { server, tool, pin })),
  }),
});

export const TOOL_PIN_WRITES = { putPins };

export function createToolPinStore({ load, write }: Tables): ToolPinStore {
  return {
    async find(server, tool) {
      const row = await load(find(TOOL_PINS, { server, tool }));
      return row && toPin(row);
    },

    async list(server) {
      const of = defined({ server });
      const rows = await load(list(TOOL_PINS, { of, limit: MAX_PINS }));
      return rows
        .map(toPin)
        .sort((a, b) => compareTexts(a.server, b.server) || compareTexts(a.tool, b.tool));
    },

    async put(pins) {
      if (pins.length > 0) await write(putPins, pins);
    },
  };
}

function toPin({ server, tool, pin }: PinRow): ToolPin {
  return { server, tool, ...pin };
}
