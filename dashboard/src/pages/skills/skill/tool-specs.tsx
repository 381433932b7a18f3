import type { SkillListShape } from '../../../../../src/operations/skills/skill-shapes.ts';
import { listAllSkills } from '../../../../../src/operations/skills/skills.ts';
import { useRead } from '../../../api/use-operation.ts';
import { Loaded } from '../../../kit/loaded.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { SpecBadge } from './skill-state.tsx';

type ToolSpec = SkillListShape['tools'][number];

const COLUMNS: readonly Column<ToolSpec>[] = [
  { label: 'Tool', cell: ({ tool_id }) => <code className="break-all">{tool_id}</code> },
  { label: 'Version', cell: ({ version }) => version, align: 'right' },
  { label: 'State', cell: ({ state }) => <SpecBadge state={state} /> },
  {
    label: 'Owner',
    cell: ({ owner, built_in }) => (
      <span className="break-all">{built_in ? 'built in' : owner}</span>
    ),
  },
];

/** What skills name as the tools that they need. */
export function ToolSpecs() {
  const specs = useRead(listAllSkills, {});
  return (
    <Loaded query={specs}>
      {({ tools }) => (
        <Table
          label="Tool specs"
          columns={COLUMNS}
          rows={tools}
          keyOf={({ tool_id, version }) => `${tool_id}@${version}`}
        />
      )}
    </Loaded>
  );
}
