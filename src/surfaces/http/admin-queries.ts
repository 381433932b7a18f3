import type { ApprovalFilter, ApprovalStatus } from '../../core/approvals/approval.ts';
import type { EffectFilter, EffectStatus } from '../../core/effects/effect.ts';
import { type ApprovalId, type RequestId, RUN_ID_PATTERN, type RunId } from '../../core/ids.ts';
import { decodeCursor } from './cursor.ts';

/** What lists of `/api/admin` can be asked for, in the words of the wire. */
export interface EffectQuery {
  readonly status?: EffectStatus | undefined;
  readonly run_id?: string | undefined;
  readonly tool?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface ApprovalQuery {
  readonly status?: ApprovalStatus | undefined;
  readonly run_id?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface KeyQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export function decodeEffectQuery(query: EffectQuery): EffectFilter {
  const { status, run_id: runId, tool, limit, cursor } = query;
  return {
    limit,
    ...(status === undefined ? {} : { status }),
    ...(runId === undefined ? {} : { runId: runId as RunId }),
    ...(tool === undefined ? {} : { tool }),
    ...(cursor === undefined ? {} : { before: decodeCursor(cursor, isId) as RequestId }),
  };
}

export function decodeApprovalQuery(query: ApprovalQuery): ApprovalFilter {
  const { status, run_id: runId, limit, cursor } = query;
  return {
    limit,
    ...(status === undefined ? {} : { status }),
    ...(runId === undefined ? {} : { runId: runId as RunId }),
    ...(cursor === undefined ? {} : { before: decodeCursor(cursor, isId) as ApprovalId }),
  };
}

export function decodeKeyQuery({ limit, cursor }: KeyQuery) {
  const isKey = (place: string) => place.startsWith('idemp:');
  return { limit, ...(cursor === undefined ? {} : { after: decodeCursor(cursor, isKey) }) };
}

/** All ids have one alphabet and one bound. */
const isId = (place: string) => RUN_ID_PATTERN.test(place);
