import { FlaskConical } from 'lucide-react';
import type { IntegrationShape } from '../../../../src/operations/integrations/integration-shapes.ts';
import {
  readIntegrations,
  testIntegration,
} from '../../../../src/operations/integrations/integrations.ts';
import { useRead, useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { formatDuration } from '../../kit/format.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { type State, StateBadge } from '../../kit/state-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { toast, toastError } from '../../kit/toasts.tsx';

const STATES: Readonly<Record<IntegrationShape['status'], State>> = {
  connected: 'ok',
  review: 'wait',
  disconnected: 'off',
};

/** Services outside: whether each is there and takes its key. Texts are the contract's, in Spanish. */
export function Providers() {
  const services = useRead(readIntegrations, {});
  return (
    <Loaded query={services}>
      {({ integrations }) => (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {integrations.map((service) => (
            <Service key={service.id} service={service} />
          ))}
        </ul>
      )}
    </Loaded>
  );
}

function Service({ service }: { readonly service: IntegrationShape }) {
  const { id, name, status, message, recovery_action, checked_at, duration_ms } = service;
  const test = useWrite(testIntegration, {
    onDone: ({ status: now, duration_ms: ms }) =>
      toast(`${name}: ${now}${ms === null ? '' : `, ${formatDuration(ms)}`}.`),
  });
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name} <StateBadge state={STATES[status]}>{status}</StateBadge>
        </p>
        <p lang="es" className="text-sm break-words text-muted">
          {message}
          {recovery_action === null ? '' : ` ${recovery_action}`}
        </p>
        {checked_at === null ? null : (
          <p className="text-sm text-muted">
            asked <Time at={checked_at} />, {formatDuration(duration_ms)}
          </p>
        )}
      </div>
      <Button
        size="small"
        icon={FlaskConical}
        isBusy={test.isPending}
        onClick={() => test.mutate({ body: { integration_id: id } }, { onError: toastError })}
      >
        {`Test ${name}`}
      </Button>
    </li>
  );
}
