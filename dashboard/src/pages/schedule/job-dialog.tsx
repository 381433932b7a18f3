import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { defined } from '../../../../src/core/defined.ts';
import { listAgents } from '../../../../src/operations/agents/agents.ts';
import type { JobShape } from '../../../../src/operations/jobs/job-shapes.ts';
import { changeJob, createJob } from '../../../../src/operations/jobs/jobs.ts';
import type { InputOf } from '../../../../src/operations/operation.ts';
import { client } from '../../api/client.ts';
import { useDraft } from '../../api/use-draft.ts';
import { useRead } from '../../api/use-operation.ts';
import { Check, Field, Select, TextArea, TextField } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { toast } from '../../kit/toasts.tsx';
import { LOCAL_ZONE, ScheduleField, type ScheduleFieldProps, useMeant } from './schedule-field.tsx';

interface JobDialogProps {
  /** The one to change; absent: a new one. */
  readonly job?: JobShape;
  readonly onClose: () => void;
}

/** What a job is told is kept while it is written. */
export function JobDialog({ job: given, onClose }: JobDialogProps) {
  // As it was opened: it is read again meanwhile, and what others changed is nothing that was typed.
  const [job] = useState(given);
  const typed = useTypedJob(job);
  const { id, message, schedule, agentId, catchUp } = typed;
  const timezone = job?.timezone ?? LOCAL_ZONE;
  const meant = useMeant(schedule.text, timezone);
  const count = meant?.length ?? 0;
  const problem =
    job !== undefined && count > 1
      ? `These words are ${count} jobs, and this is one. Give it one time, and make new jobs for the others.`
      : undefined;
  const common = {
    agent_id: agentId.text,
    message: message.text,
    mode: job?.mode ?? ('isolated' as const),
    enabled: job?.enabled ?? true,
    catch_up: catchUp.text === 'once' ? ('once' as const) : ('none' as const),
    timezone,
  };
  const save = useSaveJobs(() => {
    typed.forget();
    toast('The job is saved.');
    onClose();
  });
  const cancel = () => {
    // A new one can be gone on with later. What was not made of an existing one must not pass for what it is.
    if (job !== undefined) typed.forget();
    onClose();
  };
  return (
    <FormDialog
      title={job === undefined ? 'New job' : `Edit ${job.job_id}`}
      write={save}
      onSubmit={() =>
        save.mutate({
          job,
          name: id.text.trim(),
          timings: (meant ?? []).map((one) => ({ ...common, ...one })),
        })
      }
      isDisabled={meant === undefined || problem !== undefined}
      onClose={cancel}
    >
      {job === undefined ? (
        <TextField
          label="Name"
          hint="Letters, digits, _ and -. It stays."
          required
          value={id.text}
          onChange={id.write}
        />
      ) : null}
      <ScheduleField
        value={schedule.text}
        onChange={schedule.write}
        timezone={timezone}
        problem={problem}
      />
      <Field label="What the agent is told">
        {(ids) => (
          <TextArea
            {...ids}
            required
            rows={4}
            value={message.text}
            onChange={(event) => message.write(event.target.value)}
          />
        )}
      </Field>
      <AgentField value={agentId.text} onChange={agentId.write} />
      <Check
        label="Make up for a missed time"
        hint="Once, when the server was down at its time."
        checked={catchUp.text === 'once'}
        onChange={(event) => catchUp.write(event.target.checked ? 'once' : 'none')}
      />
    </FormDialog>
  );
}

function useTypedJob(job: JobShape | undefined) {
  const place = `job.${job?.job_id ?? 'new'}`;
  const fields = {
    id: useField(`${place}.id`, job?.job_id ?? ''),
    message: useField(`${place}.message`, job?.message ?? ''),
    schedule: useField(`${place}.schedule`, job?.schedule ?? 'every hour'),
    agentId: useField(`${place}.agent`, job?.agent_id ?? 'agent_default'),
    catchUp: useField(`${place}.catch_up`, job?.catch_up ?? 'none'),
  };
  const forget = () => {
    for (const field of Object.values(fields)) field.forget();
  };
  return { ...fields, forget };
}

function useField(name: string, initial: string) {
  const [text, write] = useDraft(name, initial);
  return { text, write, forget: () => write(initial) };
}

/** What others changed meanwhile stays, and a schedule that is given counts from now. */
function toDifference(job: JobShape, fields: JobFields): Partial<JobFields> {
  const { schedule, first_run_at, ...others } = fields;
  const differing = Object.entries(others).filter(
    ([name, value]) => job[name as keyof JobShape] !== value,
  );
  const isMoved = schedule !== job.schedule || first_run_at !== undefined;
  return {
    ...(Object.fromEntries(differing) as Partial<JobFields>),
    ...(isMoved ? { schedule, ...defined({ first_run_at }) } : {}),
  };
}

type JobFields = Omit<InputOf<Awaited<ReturnType<typeof createJob.wire>>>['body'], 'job_id'>;

interface Saving {
  readonly job: JobShape | undefined;
  readonly name: string;
  readonly timings: readonly JobFields[];
}

/** "Every weekday at 9" is five jobs, and each has its name. Tried again, it goes on with those that are missing. */
function useSaveJobs(onDone: () => void) {
  const queries = useQueryClient();
  const made = useRef(new Set<string>());
  return useMutation({
    async mutationFn({ job, name, timings }: Saving) {
      const [first] = timings;
      if (job !== undefined && first !== undefined) {
        const body = toDifference(job, first);
        if (Object.keys(body).length === 0) return;
        await client.call(changeJob, { params: { job_id: job.job_id }, body });
        return;
      }
      for (const [at, fields] of timings.entries()) {
        const job_id = timings.length === 1 ? name : `${name}-${at + 1}`;
        if (made.current.has(job_id)) continue;
        await client.call(createJob, { body: { job_id, ...fields } });
        made.current.add(job_id);
      }
    },
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: ['jobs'] }),
  });
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
