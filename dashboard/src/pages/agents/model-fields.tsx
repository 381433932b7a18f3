import type { AgentShape } from '../../../../src/operations/agents/agent-shapes.ts';
import { Field, Select, TextInput } from '../../kit/fields.tsx';

interface ModelFieldsProps {
  readonly runtime: AgentShape['runtime'];
  readonly model: string;
  readonly onChange: (part: {
    readonly runtime?: AgentShape['runtime'];
    readonly model?: string;
  }) => void;
}

/** Where it lives and what it thinks with: the one decides what the other may be. */
export function ModelFields({ runtime, model, onChange }: ModelFieldsProps) {
  const isRemote = runtime === 'openclaw';
  return (
    <div className="grid gap-x-4 sm:grid-cols-2">
      <Field label="Lives">
        {(ids) => (
          <Select
            {...ids}
            value={runtime}
            onChange={(event) =>
              onChange({ runtime: event.target.value as AgentShape['runtime'], model: '' })
            }
          >
            <option value="pincer">here</option>
            <option value="openclaw">in the OpenClaw gateway</option>
          </Select>
        )}
      </Field>
      <Field
        label="Model"
        hint={
          isRemote
            ? 'openclaw/NAME of the agent there; empty: its default one'
            : "provider/name; empty: the runtime's"
        }
      >
        {(ids) => (
          <TextInput
            {...ids}
            autoComplete="off"
            spellCheck={false}
            placeholder={isRemote ? 'openclaw/main' : 'anthropic/claude-sonnet-4-5'}
            value={model}
            onChange={(event) => onChange({ model: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}
