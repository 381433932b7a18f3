import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
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
  const meant = useMeant(schedule);
  const count = meant?.length ?? 0;
  const problem =
    job !== undefined && count > 1
      ? `These words are ${count} jobs, and this is one. Give it one time, and make new jobs for the others.`
      : undefined;
  const common = {
    agent_id: agentId,
    message,
    mode: job?.mode ?? ('isolated' as const),
    enabled: job?.enabled ?? true,
    catch_up: catchUp ? ('once' as const) : ('none' as const),
    timezone: job?.timezone ?? LOCAL_ZONE,
  };
  const save = useSaveJobs(() => {
    for (const forget of [setId, setMessage, setSchedule]) forget('');
    toast('The job is saved.');
    onClose();
  });
  return (
    <FormDialog
      title={job === undefined ? 'New job' : `Edit ${job.job_id}`}
      write={save}
      onSubmit={() =>
        save.mutate({
          job,
          name: id.trim(),
          timings: (meant ?? []).map((one) => ({ ...common, ...one })),
        })
      }
      isDisabled={meant === undefined || problem !== undefined}
      onClose={onClose}
    >
      {job === undefined ? (
        <TextField
          label="Name"
          hint="Letters, digits, _ and -. It stays."
          required
          value={id}
          onChange={setId}
        />
      ) : null}
      <ScheduleField value={schedule} onChange={setSchedule} problem={problem} />
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
    </FormDialog>
  );
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
        await client.call(changeJob, { params: { job_id: job.job_id }, body: first });
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
