import type { Approval, ApprovalStore } from '../../../core/approvals/approval.ts';
import { clampLimit } from '../../../core/clamp-limit.ts';
import type { ApprovalId } from '../../../core/ids.ts';
import { approvalNotFound, MAX_PAGE_APPROVALS } from '../../approval-rules.ts';
import { isStorableId } from '../../tables/column.ts';
import type { Database } from '../database.ts';
import { readPage } from '../paged-read.ts';
import type { RunWriter } from '../runs/run-writer.ts';
import { clockSql } from '../statement.ts';
import { APPROVAL_COLUMNS, decodeApproval, type StoredApproval } from './approval-row.ts';
import { decideWrite, expireWrite } from './approval-writes.ts';

const FIND = `select ${APPROVAL_COLUMNS} from approvals where id = $1`;
const FIND_BY_REQUEST = `select ${APPROVAL_COLUMNS} from approvals where request_id = $1 order by no desc limit 1`;
const OVERDUE =
  `select ${APPROVAL_COLUMNS} from approvals ` +
  `where status = 'pending' and expires_at_ms <= ${clockSql('$1')} ` +
  'order by expires_at_ms, no limit $2';

export interface ApprovalStoreDeps {
  readonly database: Database;
  readonly writer: RunWriter;
  readonly nowMs: (() => number) | undefined;
}

export function createApprovalStore({ database, writer, nowMs }: ApprovalStoreDeps): ApprovalStore {
  async function findOne(name: string, text: string, id: string): Promise<Approval | undefined> {
    if (!isStorableId(id)) return undefined;
    const [stored] = await database.read<StoredApproval>({ name, text, values: [id] });
    return stored && decodeApproval(stored);
  }

  /** Which run asked never changes, so it is read before the run is locked. */
  async function getRunId(id: ApprovalId) {
    const approval = await findOne('find_approval', FIND, id);
    if (!approval) throw approvalNotFound(id);
    return approval.runId;
  }

  return {
    find: (id) => findOne('find_approval', FIND, id),
    findByRequest: (requestId) => findOne('find_approval_by_request', FIND_BY_REQUEST, requestId),

    list: async ({ status, runId, before, limit }) => {
      const { rows, hasMore } = await readPage<StoredApproval>(database, {
        noun: 'an approval',
        table: 'approvals',
        columns: APPROVAL_COLUMNS,
        maxRows: MAX_PAGE_APPROVALS,
        terms: [
          { name: 'status', term: (value) => `status = ${value}`, value: status },
          { name: 'run', term: (value) => `run_id = ${value}`, value: runId },
        ],
        before,
        limit,
      });
      const approvals = rows.map(decodeApproval);
      return { approvals, next: hasMore ? approvals.at(-1)?.id : undefined };
    },

    listOverdue: async (limit) => {
      const values = [nowMs?.() ?? null, clampLimit(limit, MAX_PAGE_APPROVALS)];
      const statement = { name: 'list_overdue', text: OVERDUE, values };
      return (await database.read<StoredApproval>(statement)).map(decodeApproval);
    },

    decide: async (id, decision, draft) =>
      writer.submit(decideWrite({ id, runId: await getRunId(id), draft }, decision)),

    expire: async (id, draft) =>
      writer.submit(expireWrite({ id, runId: await getRunId(id), draft })),
  };
}
