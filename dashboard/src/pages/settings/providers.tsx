import type { IntegrationShape } from '../../../../src/operations/integrations/integration-shapes.ts';
import {
  readIntegrations,
  testIntegration,
} from '../../../../src/operations/integrations/integrations.ts';
import { useRead, useWrite } from '../../api/use-operation.ts';
import { formatDuration } from '../../kit/format.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Time } from '../../kit/time.tsx';
import { toast, toastError } from '../../kit/toasts.tsx';
import { ServiceList, ServiceRow } from './service-row.tsx';

/** Services outside: whether each is there and takes its key. */
export function Providers() {
  const services = useRead(readIntegrations, {});
  return (
    <Loaded query={services}>
      {({ integrations }) => (
        <ServiceList>
          {integrations.map((service) => (
            <Service key={service.id} service={service} />
          ))}
        </ServiceList>
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
    <ServiceRow
      name={name}
      status={status}
      isAsking={test.isPending}
      onTest={() => test.mutate({ body: { integration_id: id } }, { onError: toastError })}
    >
      <p className="text-sm break-words text-muted">
        {recovery_action === null ? message : `${message}. ${recovery_action}`}
      </p>
      {checked_at === null ? null : (
        <p className="text-sm text-muted">
          asked <Time at={checked_at} />, {formatDuration(duration_ms)}
        </p>
      )}
    </ServiceRow>
  );
}
