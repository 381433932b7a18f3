import { RotateCcw } from 'lucide-react';
import { resetCircuit } from '../../../../src/operations/tools/tools.ts';
import { useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { toast, toastError } from '../../kit/toasts.tsx';

/** Lets calls through again, whatever happened before. */
export function ResetButton({ tool }: { readonly tool: string }) {
  const reset = useWrite(resetCircuit, { onDone: () => toast(`${tool} is tried again.`) });
  return (
    <Button
      size="small"
      icon={RotateCcw}
      isBusy={reset.isPending}
      onClick={() => reset.mutate({ params: { tool }, body: null }, { onError: toastError })}
    >
      Reset
    </Button>
  );
}
