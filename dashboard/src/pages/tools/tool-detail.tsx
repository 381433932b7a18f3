import { Ban } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ToolDetailShape } from '../../../../src/operations/tools/tool-shapes.ts';
import {
  flushToolKeys,
  getTool,
  listToolKeys,
  openCircuit,
} from '../../../../src/operations/tools/tools.ts';
import { useRead, useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { Json } from '../../kit/code-block.tsx';
import { CopyButton } from '../../kit/copy.tsx';
import { toCurl } from '../../kit/curl.ts';
import { Confirm } from '../../kit/dialog.tsx';
import { formatBytes, formatCount, formatDuration } from '../../kit/format.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Card, Page, Section } from '../../kit/page.tsx';
import { toast, toastError } from '../../kit/toasts.tsx';
import { CircuitBadge, isCut } from './circuit-badge.tsx';
import { ResetButton } from './reset-button.tsx';

export function ToolDetail({ name }: { readonly name: string }) {
  const input = { params: { tool: name } };
  const tool = useRead(getTool, input);
  return (
    <Page
      title={name}
      lead={
        <Link href="/tools" className="hover:underline">
          All tools
        </Link>
      }
      actions={<CopyButton text={toCurl(getTool, input)} label="Copy as curl" />}
    >
      <Loaded query={tool}>
        {(found) => (
          <>
            <p className="mb-4 max-w-prose">{found.description}</p>
            <Breaker tool={found} />
            <Facts tool={found} />
            <Keys name={name} />
            <Section title="What it takes">
              <Json value={found.input_schema} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Breaker({ tool }: { readonly tool: ToolDetailShape }) {
  const { name, circuit_breaker: circuit, off } = tool;
  const open = useWrite(openCircuit, { onDone: () => toast(`${name} is cut off.`) });
  const told =
    circuit.measured === 0
      ? 'No call was measured lately.'
      : `${formatCount(circuit.failed)} of ${formatCount(circuit.measured)} calls failed lately, ${formatCount(circuit.failures)} in a row.`;
  return (
    <Card className="mb-6 flex flex-wrap items-center justify-between gap-3 p-4">
      <div>
        <CircuitBadge circuit={circuit} />
        <p className="mt-1 text-sm text-muted">
          {off === null ? told : `${off.reason}. ${off.fix}`}
        </p>
      </div>
      {isCut(circuit) ? (
        <ResetButton tool={name} />
      ) : (
        <Button
          kind="danger"
          icon={Ban}
          isBusy={open.isPending}
          onClick={() =>
            open.mutate({ params: { tool: name }, body: null }, { onError: toastError })
          }
        >
          Cut off
        </Button>
      )}
    </Card>
  );
}

function Facts({ tool }: { readonly tool: ToolDetailShape }) {
  const { reliability, limits } = tool;
  const facts = [
    ['Effect', tool.effect === 'write' ? 'changes things' : 'only looks'],
    ['Repeating it', tool.idempotent ? 'does nothing twice' : 'may do it twice'],
    ['Longest call', formatDuration(limits.timeout_ms)],
    ['Largest answer', formatBytes(limits.max_output_bytes)],
    ['Retries', formatCount(reliability.retry.max_retries)],
    ['Cut off after', `${formatCount(reliability.breaker.failure_threshold)} failures`],
    ['Tried again after', formatDuration(reliability.breaker.reset_timeout_ms)],
    ['Reliability', reliability.mode],
    ['Known as', tool.aliases.length === 0 ? 'nothing else' : tool.aliases.join(', ')],
  ] as const;
  return (
    <dl className="mb-6 grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-muted">{name}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const SHOWN_KEYS = 50;

/** Answers that are kept so that the same call again is not made again. */
function Keys({ name }: { readonly name: string }) {
  const keys = useRead(listToolKeys, { params: { tool: name }, query: { limit: SHOWN_KEYS } });
  const [isAsking, setIsAsking] = useState(false);
  const flush = useWrite(flushToolKeys, {
    onDone({ flushed }) {
      setIsAsking(false);
      toast(`${flushed} kept answers were forgotten.`);
    },
  });
  const count = keys.data?.keys.length ?? 0;
  if (count === 0) return null;
  return (
    <Section
      title="Kept answers"
      hint={`${formatCount(count)}${keys.data?.next_cursor === null ? '' : ' and more'} calls whose answer stands for the same call again.`}
      actions={
        <Button size="small" onClick={() => setIsAsking(true)}>
          Forget all
        </Button>
      }
    >
      {isAsking ? (
        <Confirm
          title="Forget all kept answers?"
          action="Forget"
          write={flush}
          onConfirm={() => flush.mutate({ params: { tool: name }, body: null })}
          onClose={() => setIsAsking(false)}
        >
          The same call made again would then be made, and may take effect a second time.
        </Confirm>
      ) : null}
    </Section>
  );
}
