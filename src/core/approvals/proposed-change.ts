import type { Redactor } from '../redact/redact.ts';
import { toUnifiedDiff } from '../unified-diff.ts';
import type { Approval } from './approval.ts';
import { parseInput } from './approval-input.ts';
import type { Approvals } from './approvals.ts';

/** A file before and after a call. Undefined stands for a file that is not there. */
export interface EditPreview {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What a call of a file tool would make of a file now; undefined for other calls, and when it can't be told. */
export type PreviewCall = (
  call: Pick<Approval, 'tool' | 'owner'> & { readonly input: unknown },
) => Promise<EditPreview | undefined>;

export interface ProposedChange {
  readonly path: string;
  readonly kind: 'create' | 'change' | 'delete';
  /** As patch programs write it, redacted; empty when nothing would change. */
  readonly diff: string;
  readonly isCut: boolean;
}

export interface PreviewDeps {
  readonly approvals: Pick<Approvals, 'get'>;
  readonly previewCall: PreviewCall;
  readonly redactor: Pick<Redactor, 'redactText'>;
}

/** More than anybody reads before saying yes. */
const MAX_DIFF_CHARS = 256 * 1024;

/** Of a question that is open: what its call would change by now. Undefined when it is settled, or can't be told. */
export async function previewApproval(
  { approvals, previewCall, redactor }: PreviewDeps,
  id: Approval['id'],
): Promise<ProposedChange | undefined> {
  const { status, tool, owner, input } = await approvals.get(id);
  if (status !== 'pending') return undefined;
  const preview = await previewCall({ tool, owner, input: parseInput(input) });
  if (!preview) return undefined;
  const { path, before, after } = preview;
  const diff = redactor.redactText(toUnifiedDiff(preview).join('\n'));
  const isCut = diff.length > MAX_DIFF_CHARS;
  return {
    path,
    kind: after === undefined ? 'delete' : before === undefined ? 'create' : 'change',
    diff: isCut ? diff.slice(0, diff.lastIndexOf('\n', MAX_DIFF_CHARS) + 1) : diff,
    isCut,
  };
}
