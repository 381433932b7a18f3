import type { ToolPin } from '../../core/tools/tool-pin.ts';
import { encodePin } from '../tool-pins.ts';
import type { WriteContext } from './write-context.ts';

export function createPutPins(context: WriteContext) {
  const upsert = context.db.prepare(`
    INSERT INTO tool_pins (server, tool, pin) VALUES (?, ?, ?)
    ON CONFLICT (server, tool) DO UPDATE SET pin = excluded.pin`);

  return (pins: readonly ToolPin[]): void => {
    for (const pin of pins) {
      upsert.run(JSON.stringify(pin.server), JSON.stringify(pin.tool), encodePin(pin));
    }
  };
}
