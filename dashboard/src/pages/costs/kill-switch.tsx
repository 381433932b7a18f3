import { OctagonX, Play } from 'lucide-react';
import { useState } from 'react';
import {
  readKillSwitch,
  turnKillSwitch,
} from '../../../../src/operations/kill-switch/kill-switch.ts';
import type { KillSwitchShape } from '../../../../src/operations/kill-switch/kill-switch-shapes.ts';
import { useDraft } from '../../api/use-draft.ts';
import { useRead, useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Card, Section } from '../../kit/page.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { toast } from '../../kit/toasts.tsx';

const EVERY_MS = 5_000;

export function KillSwitch() {
  // No event tells of it.
  const state = useRead(readKillSwitch, {}, { everyMs: EVERY_MS });
  // What was asked for stays asked for, also when somebody else turns the switch meanwhile.
  const [asked, setAsked] = useState<'stop' | 'go on'>();
  return (
    <Section
      id="kill-switch"
      title="Kill switch"
      hint="While it is on, no model and no tool is called anywhere."
    >
      <Loaded query={state} rows={2}>
        {(now) => (
          <Card>
            <div className="flex flex-wrap items-center justify-between gap-3">
              <div>
                <StateBadge state={now.on ? 'bad' : 'ok'}>
                  {now.on ? 'everything is stopped' : 'off'}
                </StateBadge>
                {now.on ? (
                  <p className="mt-1 text-sm">
                    {now.reason === '' ? 'No reason was given.' : now.reason}{' '}
                    <span className="text-muted">
                      {now.by} <Time at={now.changed_at} />
                    </span>
                  </p>
                ) : null}
              </div>
              <Button
                kind={now.on ? 'primary' : 'danger'}
                icon={now.on ? Play : OctagonX}
                onClick={() => setAsked(now.on ? 'go on' : 'stop')}
              >
                {now.on ? 'Go on' : 'Stop everything'}
              </Button>
            </div>
            <Turns history={now.history} />
            {asked === undefined ? null : (
              <TurnDialog isOn={asked === 'go on'} onClose={() => setAsked(undefined)} />
            )}
          </Card>
        )}
      </Loaded>
    </Section>
  );
}

function TurnDialog({ isOn, onClose }: { readonly isOn: boolean; readonly onClose: () => void }) {
  const [reason, setReason] = useDraft(isOn ? 'kill-switch.on' : 'kill-switch.off');
  const turn = useWrite(turnKillSwitch, {
    changes: ['status', 'runs'],
    onDone({ on }) {
      setReason('');
      toast(on ? 'Everything is stopped.' : 'Agents work again.');
      onClose();
    },
  });
  const submit = () =>
    turn.mutate({
      body: { on: !isOn, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) },
    });
  return (
    <FormDialog
      title={isOn ? 'Go on?' : 'Stop everything?'}
      action={isOn ? 'Go on' : 'Stop everything'}
      isDanger={!isOn}
      write={turn}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="mb-4 text-muted">
        {isOn
          ? 'Runs that were held go on where they stopped, and new ones are taken again.'
          : 'Calls under way are broken off, and no run begins until somebody lets them. Nothing is lost.'}
      </p>
      <TextField
        label="Why"
        hint="Whoever comes next reads it."
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}

const SHOWN = 5;

function Turns({ history }: Pick<KillSwitchShape, 'history'>) {
  if (history.length === 0) return null;
  return (
    <ol className="mt-4 space-y-1 border-t border-line pt-3 text-sm text-muted">
      {history.slice(0, SHOWN).map(({ on, reason, by, changed_at }) => (
        <li key={changed_at} className="break-words">
          <Time at={changed_at} /> · {by} {on ? 'stopped everything' : 'let it go on'}
          {reason === '' ? '' : `: ${reason}`}
        </li>
      ))}
    </ol>
  );
}
