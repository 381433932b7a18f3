import { Inbox } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { EFFECT_STATUSES } from '../../../../src/core/effects/effect.ts';
import type { EffectShape } from '../../../../src/operations/effects/effect-shapes.ts';
import { listEffects } from '../../../../src/operations/effects/effects.ts';
import { usePages } from '../../api/use-pages.ts';
import { Button } from '../../kit/button.tsx';
import { Empty } from '../../kit/empty.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Select } from '../../kit/fields.tsx';
import { Skeleton } from '../../kit/loaded.tsx';
import { type State, StateBadge } from '../../kit/state-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { useExactParams } from '../../kit/use-exact-params.ts';
import { SettleDialog } from './settle-dialog.tsx';

const STATES: Readonly<Record<EffectShape['status'], State>> = {
  intent: 'busy',
  sent: 'busy',
  confirmed: 'ok',
  failed: 'bad',
  unknown: 'wait',
};

/** Calls of which nobody knows whether they took effect: a person looks, and says. */
export function Effects() {
  const [parameters, setParameters] = useExactParams();
  const status = (parameters.get('status') ?? 'unknown') as EffectShape['status'] | 'all';
  const query = { limit: 50, ...(status === 'all' ? {} : { status }) };
  const pages = usePages(listEffects, { query }, ({ effects }) => effects);
  const [settled, setSettled] = useState<EffectShape>();
  return (
    <>
      <Select
        aria-label="Which calls"
        value={status}
        onChange={(event) => setParameters({ status: event.target.value }, { replace: true })}
        className="mb-3 max-w-48"
      >
        <option value="all">all</option>
        {EFFECT_STATUSES.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
      {pages.error === null ? null : <ErrorNote error={pages.error} onRetry={pages.reload} />}
      {pages.isLoaded ? null : <Skeleton />}
      {pages.isLoaded && pages.items.length === 0 ? (
        <Empty icon={Inbox} title={status === 'unknown' ? 'Nothing to settle' : 'No such call'}>
          A call that broke off, and of which nobody can tell whether it took effect, waits here.
        </Empty>
      ) : null}
      <ul className="space-y-2">
        {pages.items.map((effect) => (
          <EffectRow key={effect.id} effect={effect} onSettle={() => setSettled(effect)} />
        ))}
      </ul>
      {pages.hasMore ? (
        <Button isBusy={pages.isLoadingMore} onClick={pages.loadMore} className="mt-3">
          More
        </Button>
      ) : null}
      {settled === undefined ? null : (
        <SettleDialog effect={settled} onClose={() => setSettled(undefined)} />
      )}
    </>
  );
}

function EffectRow({
  effect,
  onSettle,
}: {
  readonly effect: EffectShape;
  readonly onSettle: () => void;
}) {
  const { tool, status, run_id, agent_id, updated_at, error, resolution } = effect;
  return (
    <li className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-surface px-3 py-2">
      <StateBadge state={STATES[status]}>{status}</StateBadge>
      <div className="min-w-0 flex-1">
        <p className="font-medium">{tool}</p>
        <p className="text-sm break-words text-muted">
          {agent_id} ·{' '}
          <Link href={`/runs/${run_id}`} className="text-accent-ink hover:underline">
            {run_id}
          </Link>{' '}
          · <Time at={updated_at} />
          {error === null ? '' : ` · ${error.message}`}
          {resolution === null ? '' : ` · ${resolution.by}: ${resolution.note}`}
        </p>
      </div>
      {status === 'unknown' ? (
        <Button size="small" onClick={onSettle}>
          Settle
        </Button>
      ) : null}
    </li>
  );
}
