import { X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { RUN_STATUSES } from '../../../../../src/core/runs/run.ts';
import { listAgents } from '../../../../../src/operations/agents/agents.ts';
import { listProjects } from '../../../../../src/operations/projects/projects.ts';
import { useRead } from '../../../api/use-operation.ts';
import { Button } from '../../../kit/button.tsx';
import { SearchInput, Select, TextInput } from '../../../kit/fields.tsx';
import { isNarrowed, NO_FILTERS, type RunFilters } from './run-filters.ts';

interface RunFiltersBarProps {
  readonly filters: RunFilters;
  readonly onChange: (filters: RunFilters) => void;
}

const MAX_OFFERED = 200;
/** Where runs come from; others may be named by those who send them. */
const SOURCES = [
  'chat',
  'http',
  'scheduler',
  'cli',
  'agent',
  'handoff',
  'mcp',
  'openai',
  'internal',
];

export function RunFiltersBar({ filters, onChange }: RunFiltersBarProps) {
  const agents = useRead(listAgents, { query: { limit: MAX_OFFERED } });
  const projects = useRead(listProjects, { query: { limit: MAX_OFFERED } });
  const set = (part: Partial<RunFilters>) => onChange({ ...filters, ...part });
  return (
    <search aria-label="Filter runs" className="mb-3 flex flex-wrap items-end gap-2">
      <TextSearch value={filters.text} onChange={(text) => set({ text })} />
      <Choice
        label="Status"
        all="Any status"
        value={filters.status}
        options={RUN_STATUSES}
        onChange={(status) => set({ status })}
      />
      <Choice
        label="Agent"
        all="Any agent"
        value={filters.agent}
        options={agents.data?.agents.map(({ agent_id }) => agent_id) ?? []}
        onChange={(agent) => set({ agent })}
      />
      <Choice
        label="Project"
        all="Any project"
        value={filters.project}
        options={projects.data?.projects.map(({ project_id }) => project_id) ?? []}
        onChange={(project) => set({ project })}
      />
      <Choice
        label="Source"
        all="Any source"
        value={filters.source}
        options={SOURCES}
        onChange={(source) => set({ source })}
      />
      <Moment label="From" value={filters.from} onChange={(from) => set({ from })} />
      <Moment label="Until" value={filters.to} onChange={(to) => set({ to })} />
      <SessionInput value={filters.session} onChange={(session) => set({ session })} />
      {isNarrowed(filters) ? (
        <Button kind="quiet" icon={X} onClick={() => onChange(NO_FILTERS)}>
          Clear
        </Button>
      ) : null}
    </search>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, all, value, options, onChange }: ChoiceProps) {
  // What the address asks for is offered, also while nobody knows yet what there is.
  const offered = value === '' || options.includes(value) ? options : [value, ...options];
  return (
    <div className="w-[calc(50%-0.25rem)] sm:w-38">
      <Select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{all}</option>
        {offered.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </Select>
    </div>
  );
}

function Moment({ label, value, onChange }: SessionInputProps & { readonly label: string }) {
  const id = useId();
  return (
    <div className="flex w-full items-center gap-2 text-sm text-muted sm:w-auto">
      <label htmlFor={id} className="w-10 sm:w-auto">
        {label}
      </label>
      <TextInput
        id={id}
        type="datetime-local"
        className="sm:w-48"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

/** Typed and searched for a moment later: each letter would be a request of its own. */
function TextSearch({ value, onChange }: SessionInputProps) {
  const [text, setText] = useState(value);
  const [last, setLast] = useState(value);
  // The address changed by itself: back, or all filters taken away.
  if (value !== last) {
    setLast(value);
    setText(value);
  }
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => latest.current(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <div className="w-full sm:w-64">
      <SearchInput label="Search what was said" value={text} onChange={setText} />
    </div>
  );
}

const TYPING_MS = 300;

interface SessionInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Applied when it is whole: half an id finds nothing. */
function SessionInput({ value, onChange }: SessionInputProps) {
  const id = useId();
  return (
    <form
      className="w-[calc(50%-0.25rem)] sm:w-44"
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget).get('session')?.toString().trim() ?? '';
        if (given !== value) onChange(given);
      }}
    >
      <TextInput
        key={value}
        id={id}
        name="session"
        aria-label="Session"
        placeholder="Session id, Enter"
        defaultValue={value}
        pattern="[A-Za-z0-9_\-]{1,128}"
        title="1 to 128 letters, digits, _ or -"
        onBlur={(event) => event.currentTarget.form?.requestSubmit()}
      />
    </form>
  );
}
