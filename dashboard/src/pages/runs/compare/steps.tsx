import { Check, ChevronDown, ChevronRight, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { RunDiffShape } from '../../../../../src/operations/runs/replay-shapes.ts';
import { classNames } from '../../../kit/class-names.ts';
import { Diff } from '../../../kit/diff.tsx';
import { formatCount } from '../../../kit/format.ts';

/** Both, step by step. What is the same before they part is folded away. */
export function Steps({ diff }: { readonly diff: RunDiffShape }) {
  const { steps, same_steps: same, equal, first_divergence: parting } = diff;
  const [isUnfolded, setIsUnfolded] = useState(equal);
  const shown = isUnfolded ? steps : steps.slice(same);
  return (
    <>
      <Verdict diff={diff} />
      {parting === null ? null : (
        <div className="mb-4">
          <h3 className="mb-1 text-sm font-medium">The first step that differs</h3>
          <Diff
            name="the first step that differs"
            before={toText(parting.left)}
            after={toText(parting.right)}
          />
        </div>
      )}
      {same === 0 || equal ? null : (
        <button
          type="button"
          aria-expanded={isUnfolded}
          onClick={() => setIsUnfolded(!isUnfolded)}
          className="mb-2 flex items-center gap-1 text-sm text-accent-ink"
        >
          {isUnfolded ? (
            <ChevronDown aria-hidden className="size-4" />
          ) : (
            <ChevronRight aria-hidden className="size-4" />
          )}
          {formatCount(same)} {same === 1 ? 'step is' : 'steps are'} the same before
        </button>
      )}
      <StepTable diff={diff} steps={shown} />
      {diff.truncated ? (
        <p className="mt-2 text-sm text-muted">There are more steps than are listed.</p>
      ) : null}
    </>
  );
}

function Verdict({ diff }: { readonly diff: RunDiffShape }) {
  const { equal, same_steps: same, shared_through_seq: shared } = diff;
  const Shape = equal ? Check : X;
  return (
    <p role="status" className="mb-3 flex items-center gap-2">
      <Shape aria-hidden className={classNames('size-4', equal ? 'text-ok' : 'text-bad')} />
      <span>
        {equal
          ? 'Both did the same.'
          : `They part after ${formatCount(same)} ${same === 1 ? 'step' : 'steps'}.`}
        {shared === null
          ? ''
          : ` One is a fork of the other: up to event ${shared} they are one run.`}
      </span>
    </p>
  );
}

type Step = RunDiffShape['steps'][number];

function StepTable({
  diff,
  steps,
}: {
  readonly diff: RunDiffShape;
  readonly steps: readonly Step[];
}) {
  if (steps.length === 0) return null;
  return (
    <section
      aria-label="Steps of both"
      tabIndex={0}
      className="max-h-[70dvh] overflow-auto rounded-lg border border-line bg-surface"
    >
      <table className="w-full min-w-[40rem] table-fixed text-sm">
        <thead className="sticky top-0 bg-surface">
          <tr className="border-b border-line text-muted">
            <th scope="col" className="w-10 px-2 py-2">
              <span className="sr-only">Same</span>
            </th>
            <th scope="col" className="px-3 py-2 font-medium">
              One
            </th>
            <th scope="col" className="px-3 py-2 font-medium">
              The other
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr
              key={`${step.left?.seq}-${step.right?.seq}`}
              className={classNames(
                'border-b border-line align-top',
                !step.equal && 'bg-wait-soft',
              )}
            >
              <td className="px-2 py-1.5">
                {step.equal ? (
                  <Check aria-label="same" className="size-4 text-ok" />
                ) : (
                  <X aria-label="differs" className="size-4 text-bad" />
                )}
              </td>
              <StepCell runId={diff.left} step={step.left} />
              <StepCell runId={diff.right} step={step.right} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function StepCell({ runId, step }: { readonly runId: string; readonly step: Step['left'] }) {
  if (step === null) return <td className="px-3 py-1.5 text-muted">–</td>;
  return (
    <td className="px-3 py-1.5">
      <Link href={`/runs/${runId}?tab=events&seq=${step.seq}`} className="block hover:underline">
        <code className="text-xs text-muted">
          {step.seq} {step.event_type}
        </code>
        <span className="line-clamp-3 break-words">{step.line}</span>
      </Link>
    </td>
  );
}

function toText(step: { readonly said: unknown } | null): string {
  return step === null ? '' : `${JSON.stringify(step.said, null, 2).replaceAll('\\n', '\n')}\n`;
}
