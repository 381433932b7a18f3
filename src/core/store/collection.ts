/** Stored things of one kind. Which columns they have is for the storage to say, once for all engines. */
export interface Collection<Row extends object, Key extends keyof Row & string>
  extends AnyCollection {
  /** What tells one from another. */
  readonly key: readonly Key[];
  /** For the compiler only: nothing is here. */
  readonly row?: Row;
}

export interface AnyCollection {
  readonly name: string;
  readonly key: readonly string[];
}

/** `collection<Agent>()('agents', 'id')`: the row is said, the key is inferred. */
export function collection<Row extends object>() {
  return <Key extends keyof Row & string>(name: string, ...key: Key[]): Collection<Row, Key> => ({
    name,
    key,
  });
}

/** A question with a thought in it. The storage holds its SQL. */
export interface Query<Params extends object, Answer extends object> extends AnyQuery {
  /** For the compiler only. */
  readonly types?: { readonly params: Params; readonly answer: Answer };
}

export interface AnyQuery {
  readonly name: string;
}

export function query<Params extends object, Answer extends object>(
  name: string,
): Query<Params, Answer> {
  return { name };
}
