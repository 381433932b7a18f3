import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { EVENT_TYPES } from '../../../../src/core/events/event.ts';
import { Button } from '../../kit/button.tsx';
import { SearchInput, Select, TextInput } from '../../kit/fields.tsx';
import type { ChangeParams } from '../../kit/use-exact-params.ts';
import { FILTERS, type Filter } from './entry-query.ts';

interface EntryFiltersProps {
  readonly parameters: URLSearchParams;
  readonly onChange: ChangeParams;
}

export function EntryFilters({ parameters, onChange }: EntryFiltersProps) {
  const value = (name: Filter) => parameters.get(name) ?? '';
  const set = (name: Filter, text: string) => onChange({ [name]: text }, { replace: true });
  const clear = () =>
    onChange(Object.fromEntries(FILTERS.map((name) => [name, ''])), { replace: true });
  const isFiltered = FILTERS.some((name) => parameters.has(name));
  return (
    <div className="mb-4 flex flex-wrap items-end gap-2">
      <div className="w-64 max-w-full">
        <SearchInput
          label="Search the records"
          value={value('q')}
          onChange={(text) => set('q', text)}
        />
      </div>
      <Labelled label="Kind">
        <Select
          aria-label="Kind"
          value={value('types')}
          onChange={(event) => set('types', event.target.value)}
        >
          <option value="">all</option>
          {EVENT_TYPES.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </Select>
      </Labelled>
      <Labelled label="From">
        <TextInput
          type="datetime-local"
          aria-label="From"
          value={value('since')}
          onChange={(event) => set('since', event.target.value)}
        />
      </Labelled>
      <Labelled label="Until">
        <TextInput
          type="datetime-local"
          aria-label="Until"
          value={value('until')}
          onChange={(event) => set('until', event.target.value)}
        />
      </Labelled>
      {isFiltered ? (
        <Button kind="quiet" icon={X} onClick={clear}>
          Clear
        </Button>
      ) : null}
    </div>
  );
}

function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-col gap-0.5 text-xs text-muted">
      <span aria-hidden>{label}</span>
      {children}
    </div>
  );
}
