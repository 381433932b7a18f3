const EVENTS_PER_PAGE = 500;

interface Numbered {
  readonly seq: number;
}

export interface LogFold<State extends Numbered, E extends Numbered> {
  readonly from: State;
  readonly throughSeq: number;
  read(page: { readonly after: number; readonly limit: number }): Promise<readonly E[]>;
  apply(state: State, event: E): State;
}

/** Page by page: however long a log is, one page of it is in memory. */
export async function foldLog<State extends Numbered, E extends Numbered>(
  fold: LogFold<State, E>,
): Promise<State> {
  let state = fold.from;
  while (state.seq < fold.throughSeq) {
    const page = await fold.read({ after: state.seq, limit: EVENTS_PER_PAGE });
    if (page.length === 0) break;
    for (const event of page) {
      if (event.seq > fold.throughSeq) return state;
      state = fold.apply(state, event);
    }
  }
  return state;
}
