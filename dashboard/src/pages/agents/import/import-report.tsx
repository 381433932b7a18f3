import type { ImportReportShape } from '../../../../../src/operations/agents/parcel-shapes.ts';
import { Id } from '../../../kit/copy.tsx';
import { formatCount } from '../../../kit/format.ts';
import { Card, Section } from '../../../kit/page.tsx';
import { type State, StateBadge } from '../../../kit/state-badge.tsx';

const TRUST: Readonly<Record<ImportReportShape['parcel']['trust'], readonly [State, string]>> = {
  own: ['ok', 'signed here'],
  trusted: ['ok', 'signed by a key that is trusted here'],
  given: ['wait', 'signed by a key that you trust this once'],
  unknown: ['bad', 'signed by a key that nobody here knows'],
};

const COUNTED: readonly (readonly [keyof ImportReportShape['creates'], string])[] = [
  ['sessions', 'conversations'],
  ['messages', 'messages'],
  ['memories', 'memories'],
  ['pinned', 'of them pinned'],
  ['untrusted', 'of them untrusted'],
  ['facts', 'facts'],
  ['jobs', 'jobs, paused'],
  ['skills', 'skills'],
  ['capabilities', 'grants'],
];

export function ImportReport({ report }: { readonly report: ImportReportShape }) {
  const { agent, parcel, creates, outcome } = report;
  const [state, words] = TRUST[parcel.trust];
  return (
    <Section title={outcome === 'present' ? 'It is here already' : 'What it would bring'}>
      <Card>
        <p className="text-lg font-semibold break-words">{agent.name}</p>
        <p className="mb-3 text-sm break-words text-muted">
          {[agent.role, agent.model ?? "the runtime's model", describeMemory(agent)]
            .filter((part) => part !== '')
            .join(' · ')}
        </p>
        <div className="mb-4 flex flex-wrap items-center gap-2 text-sm">
          <StateBadge state={state}>{words}</StateBadge>
          <Id value={parcel.key_id} />
        </div>
        <dl className="grid grid-cols-2 gap-3 text-sm sm:grid-cols-3">
          {COUNTED.map(([name, label]) => (
            <div key={name}>
              <dt className="text-muted">{label}</dt>
              <dd className="text-lg font-medium tabular-nums">{formatCount(creates[name])}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </Section>
  );
}

function describeMemory({ memory_access }: ImportReportShape['agent']): string {
  return memory_access === 'global' ? 'shared memory' : 'memory of its own';
}
