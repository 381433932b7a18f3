import { Link } from 'wouter';
import type { ToolListShape } from '../../../../src/operations/tools/tool-shapes.ts';
import { listTools } from '../../../../src/operations/tools/tools.ts';
import { useRead } from '../../api/use-operation.ts';
import { SearchInput } from '../../kit/fields.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { useExactParams } from '../../kit/use-exact-params.ts';
import { CircuitBadge, isCut } from './circuit-badge.tsx';
import { ResetButton } from './reset-button.tsx';

type Tool = ToolListShape['tools'][number];

const COLUMNS: readonly Column<Tool>[] = [
  {
    label: 'Tool',
    cell: ({ name }) => (
      <Link
        href={`/tools/of/${encodeURIComponent(name)}`}
        className="font-medium text-accent-ink hover:underline"
      >
        {name}
      </Link>
    ),
  },
  { label: 'Effect', cell: ({ effect }) => (effect === 'write' ? 'changes things' : 'only looks') },
  {
    label: 'State',
    cell: ({ off, circuit_breaker }) =>
      off === null ? (
        <CircuitBadge circuit={circuit_breaker} />
      ) : (
        <span title={off.fix}>
          <StateBadge state="off">{`off: ${off.reason}`}</StateBadge>
        </span>
      ),
  },
  { label: 'From', cell: ({ source }) => source, isExtra: true },
  {
    label: '',
    cell: ({ name, circuit_breaker }) =>
      isCut(circuit_breaker) ? <ResetButton tool={name} /> : null,
    align: 'right',
  },
];

/** What is cut off comes first: it is why somebody is here. */
export function ToolList() {
  const tools = useRead(listTools, {});
  const [parameters, setParameters] = useExactParams();
  const text = parameters.get('q') ?? '';
  return (
    <>
      <div className="mb-3">
        <SearchInput
          label="Find a tool"
          value={text}
          onChange={(q) => setParameters({ q }, { replace: true })}
        />
      </div>
      <Loaded query={tools}>
        {({ tools: all }) => (
          <Table
            label="Tools"
            columns={COLUMNS}
            rows={all
              .filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
              .sort((a, b) => Number(isCut(b.circuit_breaker)) - Number(isCut(a.circuit_breaker)))}
            keyOf={({ name }) => name}
          />
        )}
      </Loaded>
    </>
  );
}
