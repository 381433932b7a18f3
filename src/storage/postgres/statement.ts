/** A statement that each connection prepares once, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The database's clock in milliseconds, unless the caller passes the time itself as this parameter. */
export function clockSql(parameter: string): string {
  return `coalesce(${parameter}::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint)`;
}

/** However much a caller asks for, one answer fits in memory easily. */
export const MAX_PAGE_RUNS = 500;
export const MAX_PAGE_EVENTS = 1_000;
