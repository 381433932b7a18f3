import { systemClock } from '../../core/clock.ts';
import type { SecretPlace } from '../../core/secrets/secret-place.ts';
import type { StoreDeps } from './store-deps.ts';
import { writeOnce } from './write-once.ts';

export const SECRET_CHANNEL = 'pincer_secrets';
const ABSENT = '0';

const REVISION = 'select revision::text as mark from secret_document';
const READ = 'select revision::text as mark, document as text from secret_document';

// The other nodes hear of it with the commit.
const TELL = `select mark, pg_notify('${SECRET_CHANNEL}', '') from written`;
const INSERT = `
  with written as (
    insert into secret_document (revision, document) values (1, $1)
    on conflict (is_only) do nothing returning revision::text as mark
  ) ${TELL}`;
const UPDATE = `
  with written as (
    update secret_document set revision = revision + 1, document = $1 where revision = $2::bigint
    returning revision::text as mark
  ) ${TELL}`;

/**
 * A run asks before every step, which is several times a millisecond. Another node's change is told by its notification
 * and counts from then on; should that get lost, after this. A change is therefore answered so much later: a run that
 * begins after a secret was stored never puts it on record, on any node.
 */
const MAX_MARK_AGE_MS = 100;
/** Timers may fire a little early. */
const ANSWER_AFTER_MS = MAX_MARK_AGE_MS + 10;

export interface SharedSecretPlace extends SecretPlace {
  /** Another node has changed them, or may have. */
  forgetMark(): void;
}

/** One row that all nodes share. */
export function createSecretPlace({ database }: Pick<StoreDeps, 'database'>): SharedSecretPlace {
  let known: { readonly mark: string; readonly askedAtMs: number } | undefined;
  let changes = 0;

  function forgetMark(): void {
    known = undefined;
    changes += 1;
  }

  async function askMark(): Promise<string> {
    const askedAtMs = performance.now();
    const changesBefore = changes;
    const statement = { name: 'secret_revision', text: REVISION, values: [] };
    const [row] = await database.read<{ mark: string }>(statement);
    const mark = row?.mark ?? ABSENT;
    // An answer that crossed with the news of a change may be older than that.
    if (changes === changesBefore) known = { mark, askedAtMs };
    return mark;
  }

  return {
    name: 'the shared database',
    isShared: true,

    forgetMark,

    async readMark() {
      const isFresh = known && performance.now() - known.askedAtMs < MAX_MARK_AGE_MS;
      return known && isFresh ? known.mark : askMark();
    },

    async read() {
      const statement = { name: 'read_secrets', text: READ, values: [] };
      const [row] = await database.read<{ mark: string; text: string }>(statement);
      return row ?? { mark: ABSENT, text: undefined };
    },

    async replace(text, mark) {
      const statement =
        mark === ABSENT
          ? { name: 'insert_secrets', text: INSERT, values: [text] }
          : { name: 'update_secrets', text: UPDATE, values: [text, mark] };
      const [written] = await writeOnce<{ mark: string }>(database, statement);
      forgetMark();
      if (written) await systemClock.sleep(ANSWER_AFTER_MS);
      return written?.mark;
    },
  };
}
