import type { AuditFileFault } from '../../core/records/audit-reader.ts';
import type { HeadFault } from './head-check.ts';

/** A signature tells that lines were changed, and the chain of a run which: then one of the two is enough. */
export function mergeFaults(
  events: readonly AuditFileFault[],
  heads: readonly HeadFault[],
): AuditFileFault[] {
  const isNamed = ({ file, line, through }: HeadFault) =>
    events.some((fault) => fault.file === file && fault.line >= line && fault.line <= through);
  const unnamed = heads.filter((fault) => !fault.kind.endsWith('_lines') || !isNamed(fault));
  return [
    ...events,
    ...unnamed.map(({ kind, file, line, through }) => ({
      ...{ kind, file, line, through },
      runId: undefined,
      seq: undefined,
    })),
  ];
}
