import type { Approval, ApprovalFilter, ApprovalPage } from '../../../core/approvals/approval.ts';
import { clampLimit } from '../../../core/clamp-limit.ts';
import type { ApprovalId, RequestId } from '../../../core/ids.ts';
import { MAX_PAGE_APPROVALS } from '../../approval-rules.ts';
import type { Database } from '../driver.ts';
import { createPagedSelect } from '../paged-select.ts';
import { allRows, getRow } from '../rows.ts';
import { type ApprovalRow, SELECT_APPROVAL, toApproval } from './approval-row.ts';

export function createApprovalReads(db: Database, nowMs: () => number) {
  const select = db.prepare(`${SELECT_APPROVAL} WHERE approvals.id = ?`);
  const selectByRequest = db.prepare(
    `${SELECT_APPROVAL} WHERE approvals.request_id = ? ORDER BY approvals.no DESC LIMIT 1`,
  );
  const selectOverdue = db.prepare(`
    ${SELECT_APPROVAL} WHERE approvals.status = 'pending' AND approvals.expires_at_ms <= ?
    ORDER BY approvals.expires_at_ms, approvals.no LIMIT ?`);
  const selectPage = createPagedSelect<ApprovalRow>(db, {
    noun: 'an approval',
    table: 'approvals',
    select: SELECT_APPROVAL,
    maxRows: MAX_PAGE_APPROVALS,
  });

  return {
    find(id: ApprovalId): Approval | undefined {
      const row = getRow<ApprovalRow>(select, id);
      return row && toApproval(row);
    },

    findByRequest(requestId: RequestId): Approval | undefined {
      const row = getRow<ApprovalRow>(selectByRequest, requestId);
      return row && toApproval(row);
    },

    list({ status, runId, before, limit }: ApprovalFilter): ApprovalPage {
      const { rows, hasMore } = selectPage({
        terms: [
          ['approvals.status = ?', status],
          ['approvals.run_no = (SELECT no FROM runs WHERE id = ?)', runId],
        ],
        before,
        limit,
      });
      const approvals = rows.map(toApproval);
      return { approvals, next: hasMore ? approvals.at(-1)?.id : undefined };
    },

    listOverdue(limit: number): Approval[] {
      const size = clampLimit(limit, MAX_PAGE_APPROVALS);
      return allRows<ApprovalRow>(selectOverdue, nowMs(), size).map(toApproval);
    },
  };
}
