import { createAgent } from '../../../../../src/operations/agents/agents.ts';
import { CopyButton } from '../../../kit/copy.tsx';
import { toCurl } from '../../../kit/curl.ts';
import { Card } from '../../../kit/page.tsx';
import { describeHome } from '../agent-state.tsx';
import { type NewAgent, toBody } from './new-agent.ts';
import { getPreset } from './presets.ts';

export function CheckStep({ values }: { readonly values: NewAgent }) {
  const preset = getPreset(values.preset);
  const facts = [
    ['Name', values.name.trim() === '' ? 'still missing: go back to Who it is' : values.name],
    ['Role', values.role.trim() === '' ? 'none' : values.role],
    ['Personality', `${preset.label} (${preset.template})`],
    ['Skills', values.skills.length === 0 ? 'all that it is granted' : values.skills.join(', ')],
    ['Memory', values.memory === 'global' ? 'shared with all agents' : 'its own'],
    ['Lives', describeHome(values)],
    ['Model', values.model.trim() === '' ? "the runtime's" : values.model],
  ] as const;
  return (
    <Card>
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-muted">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 flex items-center gap-1 text-sm text-muted">
        The same for a terminal
        <CopyButton text={toCurl(createAgent, { body: toBody(values) })} label="Copy as curl" />
      </p>
    </Card>
  );
}
