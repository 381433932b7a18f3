/** Rows that a transaction has loaded, and those that its writes have put in their place. */
export interface RowSet<Id extends string, Row> {
  find(id: Id): Row | undefined;
  put(row: Row): void;
  all(): Row[];
  changed(): Row[];
}

export function createRowSet<Id extends string, Row extends { readonly id: Id }>(
  loaded: Iterable<Row>,
): RowSet<Id, Row> {
  const rows = new Map<Id, Row>();
  const changed = new Map<Id, Row>();
  for (const row of loaded) rows.set(row.id, row);
  return {
    find: (id) => rows.get(id),
    put: (row) => {
      rows.set(row.id, row);
      changed.set(row.id, row);
    },
    all: () => [...rows.values()],
    changed: () => [...changed.values()],
  };
}
