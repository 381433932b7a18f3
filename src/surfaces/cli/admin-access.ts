import type { ApprovalQuery, EffectQuery, KeyQuery } from '../http/admin-queries.ts';
import type {
  ApprovalListShape,
  ApprovalShape,
  CapabilityListShape,
  CircuitShape,
  EffectListShape,
  EffectShape,
  FlushReceiptShape,
  IdempotencyKeyListShape,
  ReliabilityReportShape,
  ToolDetailShape,
  ToolListShape,
} from '../http/admin-shapes.ts';

/** Effects and approvals, for those who only look. In the shapes of `/api/admin`, with a server and without one. */
export interface LedgerReader {
  listEffects(query: EffectQuery): Promise<EffectListShape>;
  /** Throws `not_found`, as all that name one thing. */
  getEffect(id: string): Promise<EffectShape>;
  listApprovals(query: ApprovalQuery): Promise<ApprovalListShape>;
  getApproval(id: string): Promise<ApprovalShape>;
}

/** What operators do. Commands can't tell a server from the store itself. */
export interface AdminAccess extends LedgerReader {
  resolveEffect(
    id: string,
    resolution: { readonly status: 'confirmed' | 'failed'; readonly note: string },
  ): Promise<EffectShape>;
  decideApproval(
    id: string,
    decision: {
      readonly status: 'approved' | 'denied';
      readonly note: string;
      /** Only with `approved`: writes the rule that the approval names as `always`. */
      readonly isAlways?: boolean;
    },
  ): Promise<ApprovalShape>;
  listTools(): Promise<ToolListShape>;
  /** An unknown tool throws `tool_not_found`, here and below. */
  getTool(name: string): Promise<ToolDetailShape>;
  getCircuit(name: string): Promise<CircuitShape>;
  openCircuit(name: string): Promise<CircuitShape>;
  resetCircuit(name: string): Promise<CircuitShape>;
  listKeys(name: string, query: KeyQuery): Promise<IdempotencyKeyListShape>;
  flushKeys(name: string, key: string | undefined): Promise<FlushReceiptShape>;
  getReport(): Promise<ReliabilityReportShape>;
  listCapabilities(agentId: string): Promise<CapabilityListShape>;
  changeCapability(
    agentId: string,
    change: { readonly tool: string; readonly effect: 'grant' | 'revoke' },
  ): Promise<CapabilityListShape>;
}
