import { Download } from 'lucide-react';
import { isTerminal } from '../../../../../src/core/runs/run.ts';
import { Button } from '../../../kit/button.tsx';
import { Id } from '../../../kit/copy.tsx';
import { formatCount } from '../../../kit/format.ts';
import { Section } from '../../../kit/page.tsx';
import type { RunTabProps } from '../detail/run-page.tsx';
import { toLog, toPlainText } from '../log/run-log.ts';
import { saveFile } from './save-file.ts';

/** Files of a bundle, as they lie on the server's disk. */
const FILES = [
  ['input.json', 'What it was asked, and by what it was to be done.'],
  ['prompt.md', 'The system prompt as the model got it.'],
  ['events.jsonl', 'Every event, chained by hash.'],
  ['toolcalls.jsonl', 'Every call with its result.'],
  ['output.md', 'The answer.'],
  ['meta.json', 'Sizes and digests of the others, so that damage shows.'],
] as const;

/** What can be taken along of a run. */
export function BundleTab({ run, followed: { events } }: RunTabProps) {
  return (
    <div className="max-w-3xl">
      <Section
        title="On the server"
        hint={
          isTerminal(run.status)
            ? 'Written when the run ended, and kept for as long as the folder is.'
            : 'Written when the run ends.'
        }
      >
        <p className="mb-3 text-sm break-all">
          <Id value={run.artifact_path} chars={120} />
        </p>
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface text-sm">
          {FILES.map(([name, what]) => (
            <li key={name} className="flex flex-wrap gap-x-4 px-3 py-2">
              <code className="w-36">{name}</code>
              <span className="text-muted">{what}</span>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="From this page" hint="As much of the run as is here by now.">
        <div className="flex flex-wrap gap-2">
          <Save
            label={`${formatCount(events.length)} events as JSON lines`}
            onSave={() =>
              saveFile(`${run.id}.events.jsonl`, {
                type: 'application/jsonl',
                text: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
              })
            }
          />
          <Save
            label="The log as text"
            onSave={() =>
              saveFile(`${run.id}.log.txt`, {
                type: 'text/plain',
                text: toPlainText(toLog(events)),
              })
            }
          />
          <Save
            label="The run as JSON"
            onSave={() =>
              saveFile(`${run.id}.json`, {
                type: 'application/json',
                text: JSON.stringify(run, null, 2),
              })
            }
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
