import type { ToolPin } from '../../core/tools/tool-pin.ts';
import { decodePin, sortPins } from '../tool-pins.ts';
import type { Database } from './driver.ts';
import { allRows, getRow } from './rows.ts';

type PinRow = Parameters<typeof decodePin>[0];

export function createToolPinReads(db: Database) {
  const SELECT = 'SELECT server, tool, pin FROM tool_pins';
  const select = db.prepare(`${SELECT} WHERE server = ? AND tool = ?`);
  const selectOf = db.prepare(`${SELECT} WHERE server = ?`);
  const selectAll = db.prepare(SELECT);

  return {
    find(server: string, tool: string): ToolPin | undefined {
      const row = getRow<PinRow>(select, JSON.stringify(server), JSON.stringify(tool));
      return row && decodePin(row);
    },

    /** All of them: a pin left out would make a known tool look new. */
    list(server?: string): ToolPin[] {
      const rows =
        server === undefined
          ? allRows<PinRow>(selectAll)
          : allRows<PinRow>(selectOf, JSON.stringify(server));
      return sortPins(rows.map(decodePin));
    },
  };
}
