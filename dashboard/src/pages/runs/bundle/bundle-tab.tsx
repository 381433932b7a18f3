import { Download, PackageOpen } from 'lucide-react';
import { isTerminal } from '../../../../../src/core/runs/run.ts';
import { downloadBundle } from '../../../../../src/operations/runs/run-log.ts';
import { Button } from '../../../kit/button.tsx';
import { Id } from '../../../kit/copy.tsx';
import { DownloadLink } from '../../../kit/download-link.tsx';
import { Empty } from '../../../kit/empty.tsx';
import { formatCount } from '../../../kit/format.ts';
import { Section } from '../../../kit/page.tsx';
import type { RunTabProps } from '../detail/run-tab-props.ts';
import { toLog, toPlainText } from '../log/run-log.ts';
import { saveFile } from './save-file.ts';

/** What is in the archive, in a folder named after the run. */
const FILES = [
  ['input.json', 'What it was asked, and by what it was to be done.'],
  ['prompt.md', 'The system prompt as the model got it.'],
  ['events.jsonl', 'Every event, chained by hash.'],
  ['toolcalls.jsonl', 'Every call with its result.'],
  ['output.md', 'The answer.'],
  ['meta.json', 'Digests of the others, so that damage shows.'],
] as const;

/** What can be taken along of a run. */
export function BundleTab({ run, followed: { events } }: RunTabProps) {
  return (
    <div className="max-w-3xl">
      <Section title="Bundle" hint="All of the run in one file, written when it ended.">
        {isTerminal(run.status) ? (
          <>
            <DownloadLink
              operation={downloadBundle}
              input={{ params: { run_id: run.id } }}
              name={`${run.id}.tar.gz`}
            >
              Download the bundle
            </DownloadLink>
            <ul className="my-3 divide-y divide-line rounded-lg border border-line bg-surface text-sm">
              {FILES.map(([name, what]) => (
                <li key={name} className="flex flex-wrap gap-x-4 px-3 py-2">
                  <code className="w-36">{name}</code>
                  <span className="text-muted">{what}</span>
                </li>
              ))}
            </ul>
            <p className="text-sm break-all text-muted">
              On the server: <Id value={run.artifact_path} chars={120} />
            </p>
          </>
        ) : (
          <Empty icon={PackageOpen} title="Not yet">
            It is written when the run ends.
          </Empty>
        )}
      </Section>
      <Section title="From this page" hint="As much of the run as is here by now.">
        <div className="flex flex-wrap gap-2">
          <Save
            label={`${formatCount(events.length)} events as JSON lines`}
            onSave={() =>
              saveFile(
                `${run.id}.events.jsonl`,
                new Blob(events.map((event) => `${JSON.stringify(event)}\n`)),
              )
            }
          />
          <Save
            label="The log as text"
            onSave={() => saveFile(`${run.id}.log.txt`, new Blob([toPlainText(toLog(events))]))}
          />
        </div>
      </Section>
    </div>
  );
}

function Save({ label, onSave }: { readonly label: string; readonly onSave: () => void }) {
  return (
    <Button icon={Download} onClick={onSave}>
      {label}
    </Button>
  );
}
