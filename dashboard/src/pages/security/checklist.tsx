import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { readChecklist } from '../../../../src/operations/security/security.ts';
import type { ChecklistShape } from '../../../../src/operations/security/security-shapes.ts';
import { useRead } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { CodeBlock } from '../../kit/code-block.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { type State, StateBadge, StateIcon } from '../../kit/state-badge.tsx';
import { Time } from '../../kit/time.tsx';

const STATES: Readonly<Record<'pass' | 'warn' | 'fail', State>> = {
  pass: 'ok',
  warn: 'wait',
  fail: 'bad',
};
const WORDS = { pass: 'well', warn: 'look at it', fail: 'not right' } as const;

/** What is not right comes first. */
const ORDER = ['fail', 'warn', 'pass'];

export function Checklist() {
  const checklist = useRead(readChecklist, { headers: { 'accept-language': 'en' } });
  const [isChecking, setIsChecking] = useState(false);
  const checkAgain = () => {
    setIsChecking(true);
    void checklist.refetch().finally(() => setIsChecking(false));
  };
  return (
    <Section
      title="Checklist"
      actions={
        <Button icon={RefreshCw} isBusy={isChecking} onClick={checkAgain}>
          Check again
        </Button>
      }
    >
      <Loaded query={checklist} rows={6}>
        {(found) => (
          <>
            <p className="mb-3 flex flex-wrap items-center gap-2 text-sm text-muted">
              <StateBadge
                state={found.overall_status === 'ready_for_remote_access' ? 'ok' : 'wait'}
              >
                {found.overall_status === 'ready_for_remote_access'
                  ? 'ready for remote access'
                  : 'review required'}
              </StateBadge>
              checked <Time at={found.generated_at} />
            </p>
            <Checks checks={found.checks} />
            <Tunnels commands={found.helper_commands} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Checks({ checks }: Pick<ChecklistShape, 'checks'>) {
  const sorted = [...checks].sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
      {sorted.map(({ id, status, message, recovery_action }) => (
        <li key={id} className="flex gap-3 px-3 py-2.5">
          <span className="mt-0.5">
            <StateIcon state={STATES[status]} label={WORDS[status]} />
          </span>
          <div className="min-w-0">
            <p className="break-words">{message}</p>
            {status === 'pass' ? null : (
              <p className="text-sm break-words text-muted">{recovery_action}</p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Tunnels({ commands }: { readonly commands: ChecklistShape['helper_commands'] }) {
  return (
    <details className="mt-3">
      <summary className="text-sm text-accent-ink">
        Commands that open this server to the world
      </summary>
      <div className="mt-2 space-y-3">
        <CodeBlock code={commands.tailscale.join('\n')} language="bash" />
        <CodeBlock code={commands.cloudflare.join('\n')} language="bash" />
      </div>
    </details>
  );
}
