import { type FormEvent, useState } from 'react';
import { listAgents } from '../../../../src/operations/agents/agents.ts';
import type { JobShape } from '../../../../src/operations/jobs/job-shapes.ts';
import { changeJob, createJob } from '../../../../src/operations/jobs/jobs.ts';
import { useDraft } from '../../api/use-draft.ts';
import { useRead, useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Check, Field, Select, TextArea, TextInput } from '../../kit/fields.tsx';
import { toast } from '../../kit/toasts.tsx';
import { ScheduleField, type ScheduleFieldProps, useMeant } from './schedule-field.tsx';

const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

interface JobDialogProps {
  /** The one to change; absent: a new one. */
  readonly job?: JobShape;
  readonly onClose: () => void;
}

/** What a job is told is kept while it is written. */
export function JobDialog({ job, onClose }: JobDialogProps) {
  const place = `job.${job?.job_id ?? 'new'}`;
  const [id, setId] = useDraft(`${place}.id`, job?.job_id ?? '');
  const [message, setMessage] = useDraft(`${place}.message`, job?.message ?? '');
  const [schedule, setSchedule] = useDraft(`${place}.schedule`, job?.schedule ?? 'every hour');
  const [agentId, setAgentId] = useState(job?.agent_id ?? 'agent_default');
  const [catchUp, setCatchUp] = useState(job?.catch_up === 'once');
  const done = () => {
    for (const forget of [setId, setMessage, setSchedule]) forget('');
    toast('The job is saved.');
    onClose();
  };
  const create = useWrite(createJob, { changes: ['scheduler'] });
  const meant = useMeant(schedule);
  const change = useWrite(changeJob, { changes: ['scheduler'], onDone: done });
  const error = create.error ?? change.error;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const common = {
      agent_id: agentId,
      message,
      mode: job?.mode ?? ('isolated' as const),
      enabled: job?.enabled ?? true,
      catch_up: catchUp ? ('once' as const) : ('none' as const),
      timezone: job?.timezone ?? LOCAL_ZONE,
    };
    if (job !== undefined) {
      const [only = { schedule: schedule.trim() }] = meant;
      change.mutate({ params: { job_id: job.job_id }, body: { ...common, ...only } });
      return;
    }
    // "Every weekday at 9" is five jobs, and each has its name.
    for (const [at, timing] of meant.entries()) {
      const job_id = meant.length === 1 ? id.trim() : `${id.trim()}-${at + 1}`;
      await create.mutateAsync({ body: { job_id, ...common, ...timing } });
    }
    done();
  };
  return (
    <Dialog title={job === undefined ? 'New job' : `Edit ${job.job_id}`} onClose={onClose}>
      <form onSubmit={(event) => void save(event).catch(() => {})}>
        {error === null ? null : <ErrorNote error={error} />}
        {job === undefined ? (
          <Field label="Name" hint="Letters, digits, _ and -. It stays.">
            {(ids) => (
              <TextInput
                {...ids}
                required
                value={id}
                onChange={(event) => setId(event.target.value)}
              />
            )}
          </Field>
        ) : null}
        <ScheduleField value={schedule} onChange={setSchedule} />
        <Field label="What the agent is told">
          {(ids) => (
            <TextArea
              {...ids}
              required
              rows={4}
              value={message}
              onChange={(event) => setMessage(event.target.value)}
            />
          )}
        </Field>
        <AgentField value={agentId} onChange={setAgentId} />
        <Check
          label="Make up for a missed time"
          hint="Once, when the server was down at its time."
          checked={catchUp}
          onChange={(event) => setCatchUp(event.target.checked)}
        />
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={create.isPending || change.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function AgentField({ value, onChange }: ScheduleFieldProps) {
  const { data } = useRead(listAgents, { query: { limit: 200 } });
  const known = data?.agents.map(({ agent_id }) => agent_id) ?? [];
  const all = known.includes(value) ? known : [value, ...known];
  return (
    <Field label="Agent">
      {(ids) => (
        <Select {...ids} value={value} onChange={(event) => onChange(event.target.value)}>
          {all.map((id) => (
            <option key={id}>{id}</option>
          ))}
        </Select>
      )}
    </Field>
  );
}
