import { Link } from 'wouter';
import { isWithinSkills } from '../../../../../src/core/agents/agent-skills.ts';
import { listCapabilities } from '../../../../../src/operations/capabilities/capabilities.ts';
import { useRead } from '../../../api/use-operation.ts';
import { classNames } from '../../../kit/class-names.ts';
import { formatCount } from '../../../kit/format.ts';
import { Loaded } from '../../../kit/loaded.tsx';
import { Section } from '../../../kit/page.tsx';

interface OpenToolsProps {
  readonly agentId: string;
  /** As they are chosen now, saved or not. */
  readonly skills: readonly string[];
}

/** What the choice comes to: the tools that are granted, and which of them these skills leave open. */
export function OpenTools({ agentId, skills }: OpenToolsProps) {
  const granted = useRead(listCapabilities, { params: { agent_id: agentId } });
  return (
    <Section
      title="What that comes to"
      hint="Tools that are granted; those struck through are closed by the skills above."
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
                {formatCount(open.length)} of {formatCount(tools.length)} tools are open to it.
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
