import type { FormEvent } from 'react';
import type { AgentShape } from '../../../../../src/operations/agents/agent-shapes.ts';
import { changeAgent } from '../../../../../src/operations/agents/agents.ts';
import { useWrite } from '../../../api/use-operation.ts';
import { Button } from '../../../kit/button.tsx';
import { ErrorNote } from '../../../kit/error-note.tsx';
import { Field, TextInput } from '../../../kit/fields.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { ModelFields } from '../model-fields.tsx';
import { useKeptForm } from '../use-kept-form.ts';

/** Runs that start from now on see it. */
export function AgentSettings({ agent }: { readonly agent: AgentShape }) {
  const { values, isChanged, change, forget } = useKeptForm(`agent.${agent.agent_id}.settings`, {
    name: agent.name,
    role: agent.role,
    voice: agent.voice_id ?? '',
    runtime: agent.runtime,
    model: agent.model ?? '',
  });
  const save = useWrite(changeAgent, {
    changes: ['profiles'],
    onDone() {
      forget();
      toast('Saved. Runs that start now see it.');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { name, role, voice, runtime, model } = values;
    const isRemote = runtime === 'openclaw';
    save.mutate({
      params: { agent_id: agent.agent_id },
      headers: {},
      body: {
        name: name.trim(),
        role: role.trim(),
        voice_id: voice.trim() === '' ? null : voice.trim(),
        runtime,
        // The gateway's default agent is named by saying nothing.
        ...(isRemote && model.trim() === ''
          ? {}
          : { model: model.trim() === '' ? null : model.trim() }),
      },
    });
  };
  return (
    <form onSubmit={submit} className="max-w-3xl">
      {save.error === null ? null : <ErrorNote error={save.error} />}
      <Field label="Name" hint={`It stays known as ${agent.slug}.`}>
        {(ids) => (
          <TextInput
            {...ids}
            required
            maxLength={80}
            value={values.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Field>
      <Field label="Role">
        {(ids) => (
          <TextInput
            {...ids}
            maxLength={200}
            value={values.role}
            onChange={(event) => change({ role: event.target.value })}
          />
        )}
      </Field>
      <ModelFields runtime={values.runtime} model={values.model} onChange={change} />
      <Field label="Voice" hint="The id of a voice of the speech provider; empty: the default one.">
        {(ids) => (
          <TextInput
            {...ids}
            maxLength={128}
            value={values.voice}
            onChange={(event) => change({ voice: event.target.value })}
          />
        )}
      </Field>
      <div className="flex gap-2">
        <Button type="submit" kind="primary" disabled={!isChanged} isBusy={save.isPending}>
          Save
        </Button>
        {isChanged ? <Button onClick={forget}>Discard</Button> : null}
      </div>
    </form>
  );
}
