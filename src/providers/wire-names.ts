/** The names one request uses for our tools. Providers take `[A-Za-z0-9_-]{1,64}`; ours have dots. */
export interface WireNames {
  toWire(name: string): string;
  /** Our name; a name the model made up comes back as it is, for the loop to refuse. */
  toTool(wire: string): string;
}

const MAX_WIRE_CHARS = 64;

/** `fs.read` becomes `fs__read`; names that would meet get a number, so the way back is never ambiguous. */
export function createWireNames(names: Iterable<string>, maxChars = MAX_WIRE_CHARS): WireNames {
  const wires = new Map<string, string>();
  const tools = new Map<string, string>();

  function assign(name: string): string {
    const base = name.replaceAll('.', '__').replace(/[^A-Za-z0-9_-]/g, '_') || '_';
    let wire = base.slice(0, maxChars);
    for (let count = 2; tools.has(wire); count += 1) {
      const suffix = `_${count}`;
      wire = base.slice(0, maxChars - suffix.length) + suffix;
    }
    wires.set(name, wire);
    tools.set(wire, name);
    return wire;
  }

  for (const name of names) if (!wires.has(name)) assign(name);

  return {
    toWire: (name) => wires.get(name) ?? assign(name),
    toTool: (wire) => tools.get(wire) ?? wire,
  };
}
