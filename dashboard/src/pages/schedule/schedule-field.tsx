import { useDeferredValue } from 'react';
import { understandWords } from '../../../../src/operations/jobs/calendar.ts';
import { useRead } from '../../api/use-operation.ts';
import { Field, TextInput } from '../../kit/fields.tsx';
import { formatExact } from '../../kit/format.ts';

export interface ScheduleFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

interface Props extends ScheduleFieldProps {
  /** Whose clock the words are about. */
  readonly timezone: string;
  /** What else speaks against it. */
  readonly problem?: string | undefined;
}

/** What a job is created with. */
export interface Timing {
  readonly schedule: string;
  readonly first_run_at?: string;
}

export const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Words, or what the scheduler itself writes; what it means is shown while it is typed. */
export function ScheduleField({ value, onChange, timezone, problem }: Props) {
  const { data, error } = useUnderstood(value, timezone);
  return (
    <Field
      label="When"
      error={isWords(value) && error !== null ? error.message : problem}
      hint={
        data === undefined
          ? 'every weekday at 9am · every 15 minutes · tomorrow at 18:00'
          : undefined
      }
    >
      {(ids) => (
        <>
          <TextInput
            {...ids}
            required
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          {data === undefined || !isWords(value) ? null : (
            <p role="status" className="mt-1 text-sm text-muted">
              {`Next: ${data.upcoming.map(({ at }) => formatExact(at)).join(' · ')}`}
              {data.schedules.length > 1 ? ` (${data.schedules.length} jobs)` : ''}
              {timezone === LOCAL_ZONE ? '' : `, here. The words are read in ${timezone}.`}
            </p>
          )}
        </>
      )}
    </Field>
  );
}

/** The schedules that a text stands for; undefined while that is being asked. */
export function useMeant(text: string, timezone: string): readonly Timing[] | undefined {
  const { data, error, isPlaceholderData, asked } = useUnderstood(text, timezone);
  // What is no sentence is refused in words by the server.
  if (!isWords(text) || error !== null) return [{ schedule: text.trim() }];
  // What stood there before meant something else.
  if (data === undefined || isPlaceholderData || asked !== text.trim()) return undefined;
  return data.schedules.map(({ schedule, first_run_at }) => ({
    schedule,
    ...(first_run_at === null ? {} : { first_run_at }),
  }));
}

function useUnderstood(text: string, timezone: string) {
  const asked = useDeferredValue(text.trim());
  const query = useRead(
    understandWords,
    { query: { text: asked, timezone } },
    { isEnabled: asked !== '' && isWords(asked) },
  );
  return { ...query, asked };
}

function isWords(text: string): boolean {
  return !/^\s*(@|\d{4}-)/.test(text);
}
