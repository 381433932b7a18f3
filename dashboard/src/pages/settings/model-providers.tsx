import { useState } from 'react';
import type {
  ModelProviderAnswerShape,
  ModelProviderShape,
} from '../../../../src/operations/model-providers/model-provider-shapes.ts';
import {
  listModelProviders,
  testModelProvider,
} from '../../../../src/operations/model-providers/model-providers.ts';
import { useRead, useWrite } from '../../api/use-operation.ts';
import { formatDuration } from '../../kit/format.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { toastError } from '../../kit/toasts.tsx';
import { ServiceList, ServiceRow } from './service-row.tsx';

/** Where models come from. None is asked before somebody presses the button. */
export function ModelProviders() {
  const providers = useRead(listModelProviders, {});
  return (
    <Loaded query={providers}>
      {({ providers: all }) => (
        <ServiceList>
          {all.map((provider) => (
            <Provider key={provider.id} provider={provider} />
          ))}
        </ServiceList>
      )}
    </Loaded>
  );
}

function Provider({ provider }: { readonly provider: ModelProviderShape }) {
  const { id, origin, key_place, missing } = provider;
  const [answer, setAnswer] = useState<ModelProviderAnswerShape>();
  const test = useWrite(testModelProvider, { onDone: setAnswer });
  return (
    <ServiceRow
      name={id}
      status={answer?.status ?? (missing === null ? 'not asked yet' : 'not set up')}
      isAsking={test.isPending}
      canBeAsked={missing === null}
      onTest={() => test.mutate({ params: { provider: id } }, { onError: toastError })}
    >
      <p className="text-sm break-words text-muted">
        {missing ?? (key_place === null ? origin : `${origin}, key in ${key_place}`)}
      </p>
      <p role="status" className="text-sm break-words">
        {answer?.checked_at ? `${answer.message} (${formatDuration(answer.duration_ms)})` : null}
      </p>
    </ServiceRow>
  );
}
