import type { ToolPinStore } from '../../core/tools/tool-pin.ts';
import { decodePin, encodePin, sortPins } from '../tool-pins.ts';
import type { Database } from './database.ts';
import { encodeText } from './text-codec.ts';

type StoredPin = Parameters<typeof decodePin>[0];

const LIST = 'select server, tool, pin from tool_pins';
const LIST_OF = `${LIST} where server = $1`;
const FIND = `${LIST} where server = $1 and tool = $2`;

// In one order on every node: two that put the same pins wait for each other and never in a circle. The last of
// several for one tool counts.
const PUT = `
  insert into tool_pins (server, tool, pin)
  select distinct on (server, tool) server, tool, pin
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as p(server, tool, pin, position)
  order by server, tool, position desc
  on conflict (server, tool) do update set pin = excluded.pin`;

export function createToolPinStore(database: Database): ToolPinStore {
  return {
    find: async (server, tool) => {
      const values = [encodeText(server), encodeText(tool)];
      const statement = { name: 'find_pin', text: FIND, values };
      const [stored] = await database.read<StoredPin>(statement);
      return stored && decodePin(stored);
    },

    // All of them: a pin left out would make a known tool look new.
    list: async (server) => {
      const stored = await database.read<StoredPin>(
        server === undefined
          ? { name: 'list_pins', text: LIST, values: [] }
          : { name: 'list_pins_of', text: LIST_OF, values: [encodeText(server)] },
      );
      return sortPins(stored.map(decodePin));
    },

    put: async (pins) => {
      if (pins.length === 0) return;
      const servers = pins.map(({ server }) => encodeText(server));
      const tools = pins.map(({ tool }) => encodeText(tool));
      const values = [servers, tools, pins.map(encodePin)];
      await database.write({ name: 'put_pins', text: PUT, values });
    },
  };
}
