import type { AnyCollection, AnyQuery, Collection, Query } from './collection.ts';

/** Something to load: a value, which each engine knows how to fetch. `Loaded` is what it comes to. */
export type Need<Loaded = unknown> = (
  | { readonly need: 'find'; readonly from: AnyCollection; readonly key: object }
  | { readonly need: 'list'; readonly from: AnyCollection; readonly page: Page<object> }
  | { readonly need: 'count'; readonly from: AnyCollection; readonly among: Among<object> }
  | { readonly need: 'ask'; readonly query: AnyQuery; readonly params: object }
) & {
  /** For the compiler only. */
  readonly loaded?: Loaded;
};

/** Some of a collection, in the order of their keys. */
export interface Page<Row extends object> {
  /** Only those with these values; undefined stands for none. */
  readonly of?: Readonly<Partial<Row>>;
  /** Only those whose last member of the key is greater. */
  readonly after?: string | undefined;
  /** Only those whose last member of the key is one of these. */
  readonly among?: readonly string[];
  readonly limit: number;
}

export function find<Row extends object, Key extends keyof Row & string>(
  from: Collection<Row, Key>,
  key: Readonly<Pick<Row, Key>>,
): Need<Row | undefined> {
  return { need: 'find', from, key };
}

export function list<Row extends object, Key extends keyof Row & string>(
  from: Collection<Row, Key>,
  page: Page<Row>,
): Need<Row[]> {
  return { need: 'list', from, page };
}

export interface Among<Row extends object> {
  readonly of?: Readonly<Partial<Row>>;
  /** No further than this: whether there is room for one more needs no exact number. */
  readonly max: number;
}

export function count<Row extends object, Key extends keyof Row & string>(
  from: Collection<Row, Key>,
  among: Among<Row>,
): Need<number> {
  return { need: 'count', from, among };
}

export function ask<Params extends object, Answer extends object>(
  query: Query<Params, Answer>,
  params: Params,
): Need<Answer[]> {
  return { need: 'ask', query, params };
}

export type Needs = Readonly<Record<string, Need>>;

export type Found<Asked extends Needs> = {
  readonly [Name in keyof Asked]: Asked[Name] extends Need<infer Loaded> ? Loaded : never;
};
