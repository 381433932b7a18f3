import type { Statement } from './driver.ts';

export type Bindable = string | number | null;

/** Rows of our own tables have the columns that our own SQL names: the driver can't know their types. */
export function getRow<Row>(statement: Statement, ...values: Bindable[]): Row | undefined {
  return statement.get(...values) as Row | undefined;
}

export function allRows<Row>(statement: Statement, ...values: Bindable[]): Row[] {
  return statement.all(...values) as Row[];
}
