import { GitCompareArrows } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { diffRuns } from '../../../../../src/operations/runs/replays.ts';
import { getRun } from '../../../../../src/operations/runs/runs.ts';
import { useRead } from '../../../api/use-operation.ts';
import { Button, LinkButton } from '../../../kit/button.tsx';
import { Diff } from '../../../kit/diff.tsx';
import { TextField } from '../../../kit/fields.tsx';
import { Loaded } from '../../../kit/loaded.tsx';
import { Page, Section } from '../../../kit/page.tsx';
import { useExactSearch } from '../../../kit/use-exact-params.ts';
import { RunsSideBySide } from './runs-side-by-side.tsx';
import { Steps } from './steps.tsx';

/** Two runs beside each other: what both took, and where the second went another way. */
export function ComparePage() {
  const given = new URLSearchParams(useExactSearch());
  const [a, b] = [given.get('a') ?? '', given.get('b') ?? ''];
  const isGiven = a !== '' && b !== '';
  return (
    <Page
      title="Compare two runs"
      lead="Step by step, without ids and times: the first step that differs is where they part."
      isWide
      actions={
        <LinkButton to="/runs" kind="quiet">
          All runs
        </LinkButton>
      }
    >
      <Pickers key={`${a} ${b}`} a={a} b={b} />
      {isGiven ? <Comparison key={`${a} ${b}`} a={a} b={b} /> : null}
    </Page>
  );
}

interface Pair {
  readonly a: string;
  readonly b: string;
}

function Pickers({ a, b }: Pair) {
  const [, navigate] = useLocation();
  const [left, setLeft] = useState(a);
  const [right, setRight] = useState(b);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    navigate(`/runs/compare?${new URLSearchParams({ a: left.trim(), b: right.trim() })}`);
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-x-3">
      <IdInput label="One run" value={left} onChange={setLeft} />
      <IdInput label="The other" value={right} onChange={setRight} />
      <div className="mb-4 flex gap-2">
        <Button type="submit" icon={GitCompareArrows} disabled={!(left.trim() && right.trim())}>
          Compare
        </Button>
        <LinkButton to={`/runs/compare?${new URLSearchParams({ a: b, b: a })}`} kind="quiet">
          Swap
        </LinkButton>
      </div>
    </form>
  );
}

interface IdInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function IdInput({ label, value, onChange }: IdInputProps) {
  return (
    <div className="min-w-0 grow sm:w-80 sm:grow-0">
      <TextField
        label={label}
        required
        placeholder="run_…"
        value={value}
        onChange={onChange}
        className="font-mono text-sm"
      />
    </div>
  );
}

function Comparison({ a, b }: Pair) {
  const left = useRead(getRun, { params: { run_id: a } });
  const right = useRead(getRun, { params: { run_id: b } });
  const diff = useRead(diffRuns, { params: { run_id: a }, query: { with: b } });
  return (
    <Loaded query={left} rows={2}>
      {(one) => (
        <Loaded query={right} rows={2}>
          {(other) => (
            <>
              <RunsSideBySide left={one} right={other} />
              <Section title="Steps">
                <Loaded query={diff}>{(shown) => <Steps diff={shown} />}</Loaded>
              </Section>
              <Section title="Answers">
                <Diff name="the answer" before={one.output} after={other.output} />
              </Section>
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}
