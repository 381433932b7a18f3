import type { AgentShape } from '../../../../src/operations/agents/agent-shapes.ts';
import { classNames } from '../../kit/class-names.ts';

type MemoryAccess = AgentShape['memory_access'];

const CHOICES: readonly (readonly [MemoryAccess, string, string])[] = [
  ['private', 'Its own', 'It reads and writes only what it remembers itself.'],
  ['global', 'Shared', 'It reads what all agents share, and shares what it remembers.'],
];

interface MemoryChoiceProps {
  readonly value: MemoryAccess;
  readonly onChange: (value: MemoryAccess) => void;
}

export function MemoryChoice({ value, onChange }: MemoryChoiceProps) {
  return (
    <fieldset className="mb-4">
      <legend className="mb-1 text-sm font-medium">Memory</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {CHOICES.map(([access, label, hint]) => (
          <label
            key={access}
            className={classNames(
              'flex items-start gap-2 rounded-lg border px-3 py-2',
              access === value ? 'border-accent bg-accent-soft' : 'border-line bg-surface',
            )}
          >
            <input
              type="radio"
              name="memory_access"
              checked={access === value}
              onChange={() => onChange(access)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span>
              {label}
              <span className="block text-sm text-muted">{hint}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The word of the person who is asked: they read what it means before it is sent. */
export function toApproval(access: MemoryAccess) {
  return access === 'global' ? { 'x-clawos-global-memory-approved': 'true' } : {};
}
