import { Link } from 'wouter';
import { isWithinSkills } from '../../../../../src/core/agents/agent-skills.ts';
import { listCapabilities } from '../../../../../src/operations/capabilities/capabilities.ts';
import { useRead } from '../../../api/use-operation.ts';
import { classNames } from '../../../kit/class-names.ts';
import { formatCount } from '../../../kit/format.ts';
import { Loaded } from '../../../kit/loaded.tsx';
import { Section } from '../../../kit/page.tsx';

/** Grants are changed elsewhere, and skills take a second to count. */
const REFRESH_MS = 5_000;

interface OpenToolsProps {
  readonly agentId: string;
  /** As they are chosen now, saved or not. */
  readonly skills: readonly string[];
}

/** What the choice comes to. What is open is what grants and the saved skills leave, so more can only be told after saving. */
export function OpenTools({ agentId, skills }: OpenToolsProps) {
  const granted = useRead(
    listCapabilities,
    { params: { agent_id: agentId } },
    { everyMs: REFRESH_MS },
  );
  return (
    <Section
      title="Tools open to it"
      hint="As saved. Struck through: what the choice above would close. What it would open is told once it is saved."
      actions={
        <Link
          href={`/tools/grants?agent=${encodeURIComponent(agentId)}`}
          className="text-sm text-accent-ink hover:underline"
        >
          Change grants
        </Link>
      }
    >
      <Loaded query={granted} rows={2}>
        {({ granted: tools }) => {
          const open = tools.filter((tool) => isWithinSkills(skills, tool));
          return (
            <>
              <p className="mb-2 text-sm">
                {open.length === tools.length
                  ? `${formatCount(tools.length)} tools.`
                  : `${formatCount(open.length)} of ${formatCount(tools.length)} tools would stay.`}
              </p>
              <ul className="flex flex-wrap gap-1.5">
                {tools.map((tool) => (
                  <li key={tool}>
                    <Tool name={tool} isOpen={open.includes(tool)} />
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

function Tool({ name, isOpen }: { readonly name: string; readonly isOpen: boolean }) {
  const Name = isOpen ? 'code' : 'del';
  return (
    <Name
      className={classNames(
        'inline-block rounded-md border border-line px-1.5 py-0.5 font-mono text-xs break-all',
        isOpen ? 'bg-surface' : 'bg-sunken text-muted',
      )}
    >
      {name}
    </Name>
  );
}
