import { type ChangeEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Button } from '../../../kit/button.tsx';
import { ErrorNote } from '../../../kit/error-note.tsx';
import { Field } from '../../../kit/fields.tsx';
import { formatBytes } from '../../../kit/format.ts';
import { Page } from '../../../kit/page.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { toAgentPath } from '../agent-state.tsx';
import { ImportNeeds } from './import-needs.tsx';
import { ImportReport } from './import-report.tsx';
import { type Import, useImport } from './use-import.ts';

/** A file is looked at first: what it would bring, and what stands in the way, is told before anything is stored. */
export function ImportPage() {
  const [, navigate] = useLocation();
  const [file, setFile] = useState<File>();
  const run = useImport(file);
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = event.target.files?.[0];
    setFile(chosen);
    if (chosen !== undefined) run.look(chosen);
  };
  const store = async () => {
    const done = await run.store();
    if (done === undefined) return;
    toast(done.outcome === 'present' ? 'It is here already.' : `${done.agent.name} is here.`);
    navigate(toAgentPath(done.agent.agent_id), { replace: true });
  };
  return (
    <Page
      title="Import an agent"
      lead={
        <Link href="/agents" className="hover:underline">
          All agents
        </Link>
      }
    >
      <div className="max-w-3xl">
        <Field
          label="File"
          hint="One that was made by Export, here or on another machine. Choosing it stores nothing."
        >
          {(ids) => (
            <input
              {...ids}
              type="file"
              accept=".claw,application/vnd.pincer.agent"
              onChange={choose}
              className="block w-full rounded-lg border border-dashed border-line-strong bg-surface p-4 text-sm file:mr-3 file:rounded-md file:border file:border-line file:bg-sunken file:px-3 file:py-1.5 file:text-ink"
            />
          )}
        </Field>
        {file === undefined ? null : <Found file={file} run={run} onStore={() => void store()} />}
      </div>
    </Page>
  );
}

interface FoundProps {
  readonly file: File;
  readonly run: Import;
  readonly onStore: () => void;
}

function Found({ file, run, onStore }: FoundProps) {
  const { report, error, progress, choices, choose } = run;
  const isBlocked = report?.needs.some(({ blocking }) => blocking) ?? true;
  return (
    <>
      {error === undefined ? null : (
        <ErrorNote error={error} onRetry={() => run.look(file)} isStale={report !== undefined} />
      )}
      {progress === undefined ? null : <Progress file={file} {...progress} />}
      {report === undefined ? null : (
        <>
          <ImportReport report={report} />
          <ImportNeeds report={report} choices={choices} onChoose={choose} />
          <Button
            kind="primary"
            disabled={isBlocked || progress !== undefined}
            isBusy={progress?.isStoring ?? false}
            onClick={onStore}
          >
            Import {report.agent.name}
          </Button>
          {isBlocked ? (
            <p className="mt-2 text-sm text-muted">Decide what is marked above first.</p>
          ) : null}
        </>
      )}
    </>
  );
}

interface ProgressProps {
  readonly file: File;
  readonly sentBytes: number;
  readonly isStoring: boolean;
}

function Progress({ file, sentBytes, isStoring }: ProgressProps) {
  const isRead = sentBytes >= file.size;
  const deed = isStoring ? 'being stored' : 'being looked at';
  return (
    <div role="status" className="mb-4 text-sm text-muted">
      <progress
        aria-label={`Reading ${file.name}`}
        max={Math.max(1, file.size)}
        {...(isRead ? {} : { value: sentBytes })}
        className="mb-1 block h-1.5 w-full accent-accent"
      />
      {isRead
        ? `${formatBytes(file.size)} read; it is ${deed}.`
        : `${formatBytes(sentBytes)} of ${formatBytes(file.size)} read.`}
    </div>
  );
}
