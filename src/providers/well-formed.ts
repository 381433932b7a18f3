/**
 * A copy of plain data whose texts hold whole characters only. A text that was cut within a pair of surrogates, as an
 * excerpt may be, travels as an escape that providers call invalid JSON, and they refuse the whole conversation for it.
 */
export function toWellFormed<Data>(data: Data): Data {
  return copy(data) as Data;
}

function copy(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.toWellFormed(), copy(member)]),
  );
}
