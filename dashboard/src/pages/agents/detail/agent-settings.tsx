import type { FormEvent } from 'react';
import type { AgentShape } from '../../../../../src/operations/agents/agent-shapes.ts';
import { changeAgent } from '../../../../../src/operations/agents/agents.ts';
import { useWrite } from '../../../api/use-operation.ts';
import { Button } from '../../../kit/button.tsx';
import { ErrorNote } from '../../../kit/error-note.tsx';
import { TextField } from '../../../kit/fields.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { ModelFields } from '../model-fields.tsx';
import { useKeptForm } from '../use-kept-form.ts';

/** Runs that start from now on see it. */
export function AgentSettings({ agent }: { readonly agent: AgentShape }) {
  const { values, isChanged, change, forget } = useKeptForm<SettingValues>(
    `agent.${agent.agent_id}.settings`,
    {
      name: agent.name,
      role: agent.role,
      voice: agent.voice_id ?? '',
      runtime: agent.runtime,
      model: agent.model ?? '',
    },
  );
  const save = useWrite(changeAgent, {
    changes: ['profiles'],
    onDone() {
      forget();
      toast('Saved. Runs that start now see it.');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const params = { agent_id: agent.agent_id };
    save.mutate({ params, headers: {}, body: toChange(agent, values) });
  };
  return (
    <form onSubmit={submit} className="max-w-3xl">
      {save.error === null ? null : <ErrorNote error={save.error} />}
      <TextField
        label="Name"
        hint={`It stays known as ${agent.slug}.`}
        required
        maxLength={80}
        value={values.name}
        onChange={(text) => change({ name: text })}
      />
      <TextField
        label="Role"
        maxLength={200}
        value={values.role}
        onChange={(text) => change({ role: text })}
      />
      <ModelFields runtime={values.runtime} model={values.model} onChange={change} />
      <TextField
        label="Voice"
        hint="The id of a voice of the speech provider; empty: the default one."
        maxLength={128}
        value={values.voice}
        onChange={(text) => change({ voice: text })}
      />
      <div className="flex gap-2">
        <Button type="submit" kind="primary" disabled={!isChanged} isBusy={save.isPending}>
          Save
        </Button>
        {isChanged ? <Button onClick={forget}>Discard</Button> : null}
      </div>
    </form>
  );
}

interface SettingValues {
  readonly name: string;
  readonly role: string;
  readonly voice: string;
  readonly runtime: AgentShape['runtime'];
  readonly model: string;
}

/** Only what differs: what somebody else changed meanwhile stays. */
function toChange(agent: AgentShape, { name, role, voice, runtime, model }: SettingValues) {
  const isMoved = runtime !== agent.runtime || model !== (agent.model ?? '');
  return {
    ...(name === agent.name ? {} : { name: name.trim() }),
    ...(role === agent.role ? {} : { role: role.trim() }),
    ...(voice === (agent.voice_id ?? '') ? {} : { voice_id: toText(voice) }),
    ...(isMoved ? { runtime } : {}),
    // The gateway's default agent is named by saying nothing.
    ...(isMoved && !(runtime === 'openclaw' && model.trim() === '')
      ? { model: toText(model) }
      : {}),
  };
}

function toText(typed: string): string | null {
  return typed.trim() === '' ? null : typed.trim();
}
