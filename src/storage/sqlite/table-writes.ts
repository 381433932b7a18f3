import type { Change } from '../../core/store/change.ts';
import type { Found, Needs } from '../../core/store/need.ts';
import type { Write } from '../../core/store/write.ts';
import { findTable, findWrite } from '../tables/declared.ts';
import {
  encodeAll,
  onConflict,
  type Rendered,
  renderExpire,
  renderPatch,
  renderRemove,
} from '../tables/render.ts';
import type { Table } from '../tables/table.ts';
import { bind, createLoad, createPrepare, type Load, SQLITE } from './table-reads.ts';
import type { WriteContext } from './write-context.ts';

export interface TableWrites {
  /** By its name, which is all of it that crosses to the writer's thread. */
  performWrite(name: string, given: unknown): unknown;
  /** As a part of another write. */
  perform<Given, Value, Asked extends Needs>(
    write: Write<Given, Value, Asked>,
    given: Given,
  ): Value;
}

/** Loads, decides and saves inside the batch's transaction. */
export function createTableWrites({ db, nowMs }: Pick<WriteContext, 'db' | 'nowMs'>): TableWrites {
  const prepare = createPrepare(db);
  const load = createLoad(prepare, nowMs);

  function perform<Given, Value, Asked extends Needs>(
    write: Write<Given, Value, Asked>,
    given: Given,
  ): Value {
    const found = loadAll(load, write.needs(given));
    const { value, changes } = write.decide(found, given, nowMs());
    const statements = changes.map(render);
    for (const { text, values } of statements) prepare(text).run(...values.map(bind));
    return value;
  }
  return { perform, performWrite: (name, given) => perform(findWrite(name), given) };
}

function loadAll<Asked extends Needs>(load: Load, needs: Asked): Found<Asked> {
  const found = Object.entries(needs).map(([name, need]) => [name, load(need)]);
  return Object.fromEntries(found) as Found<Asked>;
}

function render(change: Change): Rendered {
  switch (change.change) {
    case 'put':
      return renderPut(findTable(change.into), change.row);
    case 'patch':
      return renderPatch(SQLITE, findTable(change.into), change);
    case 'remove':
      return renderRemove(SQLITE, findTable(change.from), change.key);
    case 'expire':
      return renderExpire(SQLITE, findTable(change.from), change.past);
  }
}

function renderPut(table: Table, row: object): Rendered {
  const { name, select, columns } = table;
  const places = columns.map((_, index) => `?${index + 1}`).join(', ');
  return {
    name: `put_${name}`,
    text: `insert into ${name} (${select}) values (${places}) ${onConflict(table)}`,
    values: encodeAll(columns, row),
  };
}
