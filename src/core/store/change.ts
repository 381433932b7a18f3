import type { AnyCollection, Collection } from './collection.ts';

/** What a decided write changes: a value, which each engine knows how to save. */
export type Change =
  | { readonly change: 'put'; readonly into: AnyCollection; readonly row: object }
  | {
      readonly change: 'patch';
      readonly into: AnyCollection;
      readonly key: object;
      readonly fields: object;
    }
  | { readonly change: 'remove'; readonly from: AnyCollection; readonly key: object }
  | { readonly change: 'expire'; readonly from: AnyCollection; readonly past: Past };

/** Rows that have had their time, oldest first and a bounded number of them. */
export interface Past<Field extends string = string> {
  /** The moment that counts; rows without one stay. */
  readonly by: Field;
  /** This moment included. */
  readonly untilMs: number;
  readonly max: number;
}

/** As a new row, or whole in place of the one with its key. */
export function put<Row extends object, Key extends keyof Row & string>(
  into: Collection<Row, Key>,
  row: Row,
): Change {
  return { change: 'put', into, row };
}

/** Of a row that is there, only these fields. */
export function patch<Row extends object, Key extends keyof Row & string>(
  into: Collection<Row, Key>,
  key: Readonly<Pick<Row, Key>>,
  fields: Readonly<Partial<Omit<Row, Key>>>,
): Change {
  return { change: 'patch', into, key, fields };
}

export function remove<Row extends object, Key extends keyof Row & string>(
  from: Collection<Row, Key>,
  key: Readonly<Pick<Row, Key>>,
): Change {
  return { change: 'remove', from, key };
}

/** With each write a few: what is past gets fewer, and no caller waits for many. */
export function expire<Row extends object, Key extends keyof Row & string>(
  from: Collection<Row, Key>,
  past: Past<keyof Row & string>,
): Change {
  return { change: 'expire', from, past };
}
