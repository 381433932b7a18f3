import { defined } from '../../core/defined.ts';
import type { ImportOptions, ImportReport } from '../../core/parcels/import-report.ts';
import type { ImportQueryShape, ImportReportShape } from './parcel-shapes.ts';

export function decodeImport(
  query: ImportQueryShape,
  { isMemoryApproved }: { readonly isMemoryApproved: boolean },
): ImportOptions {
  return {
    isPreview: query.preview,
    ...defined({ name: query.as, principals: query.principals }),
    trusted: toWords(query.trust),
    granted: toWords(query.grant),
    withoutGrants: query.without_grants,
    approvesPins: query.approve_pins,
    isMemoryApproved,
  };
}

function toWords(text: string): readonly string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

export function encodeReport(report: ImportReport): ImportReportShape {
  const { outcome, digest, signer, agent, creates, needs } = report;
  return {
    outcome,
    parcel: { digest, key_id: signer.keyId, public_key: signer.publicKey, trust: signer.trust },
    agent: {
      agent_id: agent.id,
      slug: agent.slug,
      name: agent.name,
      role: agent.role,
      model: agent.model ?? null,
      skills: [...agent.skills],
      memory_access: agent.memoryAccess,
    },
    creates: {
      sessions: creates.sessions,
      messages: creates.messages,
      memories: creates.memories,
      pinned: creates.pinned,
      untrusted: creates.untrusted,
      facts: creates.facts,
      jobs: creates.jobs,
      skills: creates.skills,
      capabilities: creates.capabilities,
      audit_events: creates.audit_events,
    },
    needs: needs.map(({ kind, what, isBlocking, message }) => ({
      kind,
      what,
      blocking: isBlocking,
      message,
    })),
  };
}
