import { useState } from 'react';
import { useLocation } from 'wouter';
import { listAgents } from '../../../../../src/operations/agents/agents.ts';
import { forkRun } from '../../../../../src/operations/runs/replays.ts';
import type { RunDetail } from '../../../../../src/operations/runs/run-shapes.ts';
import { useDraft } from '../../../api/use-draft.ts';
import { useRead, useWrite } from '../../../api/use-operation.ts';
import { Field, Select, TextArea, TextField } from '../../../kit/fields.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import { toast } from '../../../kit/toasts.tsx';
import type { ForkPoint } from '../detail/fork-points.ts';

interface ForkDialogProps {
  readonly run: RunDetail;
  readonly points: readonly ForkPoint[];
  readonly onClose: () => void;
}

/** A new run that knows what this one had done by an event. */
export function ForkDialog({ run, points, onClose }: ForkDialogProps) {
  const [, navigate] = useLocation();
  const [seq, setSeq] = useState(
    (points.findLast(({ needsMessage }) => !needsMessage) ?? points[0])?.seq,
  );
  const [message, setMessage] = useDraft(`fork.${run.id}`);
  const [model, setModel] = useState('');
  const [agent, setAgent] = useState('');
  const fork = useWrite(forkRun, {
    onDone({ id }) {
      setMessage('');
      toast('Forked: this is the new run.');
      navigate(`/runs/${id}`);
    },
  });
  const point = points.find((one) => one.seq === seq);
  const isMissing = point?.needsMessage === true && message.trim() === '';
  const submit = () => {
    if (seq === undefined || isMissing) return;
    fork.mutate({
      params: { run_id: run.id },
      headers: {},
      body: {
        at_seq: seq,
        ...(message.trim() === '' ? {} : { message }),
        ...(model === '' ? {} : { model }),
        ...(agent === '' ? {} : { agent_id: agent }),
      },
    });
  };
  return (
    <FormDialog
      title="Fork this run"
      action="Fork"
      isDisabled={seq === undefined || isMissing}
      write={fork}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="mb-4 text-muted">
        A new run goes on from here by itself. It belongs to no session, and asks before each tool
        that acts outward.
      </p>
      <Points points={points} seq={seq} onChange={setSeq} />
      <Field
        label="Message"
        hint={
          point?.needsMessage === true
            ? 'It had answered by then: what is asked next?'
            : 'Empty: it goes on with what was asked.'
        }
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={4}
            required={point?.needsMessage === true}
            placeholder={run.message.slice(0, 200)}
            value={message}
            onChange={(event) => setMessage(event.target.value)}
          />
        )}
      </Field>
      <Others {...{ run, model, agent, onModel: setModel, onAgent: setAgent }} />
    </FormDialog>
  );
}

interface PointsProps {
  readonly points: readonly ForkPoint[];
  readonly seq: number | undefined;
  readonly onChange: (seq: number) => void;
}

function Points({ points, seq, onChange }: PointsProps) {
  return (
    <Field
      label="Go on from"
      hint={
        points.length === 0
          ? 'The events that it could go on from are not here, or no longer kept.'
          : 'Where no tool call stands open.'
      }
    >
      {(ids) => (
        <Select {...ids} value={seq} onChange={(event) => onChange(Number(event.target.value))}>
          {points.map((point) => (
            <option key={point.seq} value={point.seq}>
              {point.label} (event {point.seq})
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

interface OthersProps {
  readonly run: RunDetail;
  readonly model: string;
  readonly agent: string;
  readonly onModel: (model: string) => void;
  readonly onAgent: (agent: string) => void;
}

const MAX_OFFERED = 200;

/** Another model, another agent. */
function Others({ run, model, agent, onModel, onAgent }: OthersProps) {
  const agents = useRead(listAgents, { query: { limit: MAX_OFFERED } });
  const others = agents.data?.agents.filter(({ agent_id }) => agent_id !== run.agent_id) ?? [];
  return (
    <div className="grid gap-x-4 sm:grid-cols-2">
      <Field label="Agent">
        {(ids) => (
          <Select {...ids} value={agent} onChange={(event) => onAgent(event.target.value)}>
            <option value="">The same: {run.agent_id}</option>
            {others.map(({ agent_id }) => (
              <option key={agent_id} value={agent_id}>
                {agent_id}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <TextField
        label="Model"
        hint="provider/name; empty: as before."
        value={model}
        pattern="[a-z][a-z0-9\-]*/[\x21-\x7e]+"
        title="provider/name"
        placeholder={run.model === '' ? '' : `${run.provider}/${run.model}`}
        onChange={(text) => onModel(text.trim())}
      />
    </div>
  );
}
