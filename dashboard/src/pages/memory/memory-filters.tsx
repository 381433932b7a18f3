import { ListFilter } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { AgentSelect } from '../../kit/agent-select.tsx';
import { Button } from '../../kit/button.tsx';
import { Check, SearchInput, TextInput } from '../../kit/fields.tsx';
import { ProjectInput } from '../../kit/project-input.tsx';
import { useTyped } from '../../kit/use-typed.ts';
import { countFilters, type MemoryAddress, type MemoryWish } from './memory-address.ts';

type Changing = Pick<MemoryAddress, 'wish' | 'change'>;

const NO_FILTERS: Omit<MemoryWish, 'q'> = {
  as: '',
  author: '',
  project: '',
  source: '',
  tag: '',
  pinned: '',
};

/** What is looked for. The address has it, so that Back and a link bring it back. */
export function MemoryFilters({ wish, change }: Changing) {
  const count = countFilters(wish);
  const [isOpen, setIsOpen] = useState(count > 0);
  const [text, setText] = useTyped(wish.q, (q) => change({ q: q.trim() }));
  return (
    <div className="mb-3">
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-56 flex-1 [&>input]:max-w-none">
          <SearchInput label="Search by words and meaning" value={text} onChange={setText} />
        </div>
        <Button icon={ListFilter} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {count === 0 ? 'Filter' : `Filter (${count})`}
        </Button>
        {count === 0 ? null : (
          <Button kind="quiet" onClick={() => change(NO_FILTERS)}>
            Clear
          </Button>
        )}
      </div>
      {isOpen ? <FilterFields wish={wish} change={change} /> : null}
    </div>
  );
}

function FilterFields({ wish, change }: Changing) {
  return (
    <div className="mt-2 grid grid-cols-1 gap-2 rounded-lg border border-line bg-surface p-3 min-[420px]:grid-cols-2 xl:grid-cols-3">
      <Labelled label="Seen by">
        <AgentSelect
          aria-label="Seen by"
          value={wish.as}
          onChange={(as) => change({ as })}
          none="Everybody: what is shared"
        />
      </Labelled>
      <Labelled label="Told by">
        <AgentSelect
          aria-label="Told by"
          value={wish.author}
          onChange={(author) => change({ author })}
          none="Any agent"
        />
      </Labelled>
      <Labelled label="Project">
        <TypedProject value={wish.project} onSettled={(project) => change({ project })} />
      </Labelled>
      <Labelled label="Source">
        <TypedText
          label="Source"
          hint="chat, file, web…"
          value={wish.source}
          onSettled={(source) => change({ source })}
        />
      </Labelled>
      <Labelled label="Tags">
        <TypedText
          label="Tags"
          hint="all of these, with commas"
          value={wish.tag}
          onSettled={(tag) => change({ tag })}
        />
      </Labelled>
      <div className="self-end pb-1">
        <Check
          label="Pinned only"
          // A search has pinned ones among the others; only the list can be had of them alone.
          disabled={wish.q !== ''}
          checked={wish.pinned === 'true' && wish.q === ''}
          onChange={(event) => change({ pinned: event.target.checked ? 'true' : '' })}
        />
      </div>
    </div>
  );
}

function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <div aria-hidden className="mb-1 text-xs text-muted">
        {label}
      </div>
      {children}
    </div>
  );
}

interface TypedProps {
  readonly value: string;
  readonly onSettled: (text: string) => void;
}

function TypedProject({ value, onSettled }: TypedProps) {
  const [text, setText] = useTyped(value, (next) => onSettled(next.trim()));
  return (
    <ProjectInput
      aria-label="Project"
      placeholder="any"
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}

function TypedText(props: TypedProps & { readonly label: string; readonly hint: string }) {
  const { label, hint, value, onSettled } = props;
  const [text, setText] = useTyped(value, (next) => onSettled(next.trim()));
  return (
    <TextInput
      aria-label={label}
      placeholder={hint}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
