import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type {
  AnswerOf,
  Declaration,
  InputOf,
  Operation,
  Wire,
} from '../../../src/operations/operation.ts';
import { client } from './client.ts';
import { isOnlyAsked, nounOf, refreshMsOf } from './freshness.ts';

/** Anything that is declared and answers once. */
export type Askable<W extends Wire> = Pick<Operation<never, W>, keyof Declaration | 'wire'>;

interface ReadOptions {
  readonly isEnabled?: boolean;
  /** For what must be seen sooner. */
  readonly everyMs?: number;
}

/**
 * What an operation answers, kept fresh: `live` reloads it when an event says that its noun changed. While another
 * query is being asked of the same thing, the answer to the one before is shown, and `isPlaceholderData` says so.
 */
export function useRead<W extends Wire>(
  operation: Askable<W>,
  input: InputOf<W>,
  { isEnabled = true, everyMs }: ReadOptions = {},
): UseQueryResult<AnswerOf<W>> {
  return useQuery({
    queryKey: keyOf(operation, input),
    queryFn: () => client.call(operation, input),
    enabled: isEnabled,
    // Another page of the same thing, and never another thing: its buttons would act on the wrong one.
    placeholderData: (before, query) =>
      paramsOf(query?.queryKey[2]) === paramsOf(input) ? before : undefined,
    refetchInterval: everyMs ?? refreshMsOf(operation.name),
    refetchOnWindowFocus: !isOnlyAsked(operation.name),
  }) as UseQueryResult<AnswerOf<W>>;
}

interface WriteOptions<W extends Wire> {
  /** Nouns beside its own that are read again afterwards. */
  readonly changes?: readonly string[];
  readonly onDone?: (answer: AnswerOf<W>, input: InputOf<W>) => void;
}

/** Something that is done when it is asked for. Its noun is read again afterwards. */
export function useWrite<W extends Wire>(
  operation: Askable<W>,
  { changes = [], onDone }: WriteOptions<W> = {},
): UseMutationResult<AnswerOf<W>, Error, InputOf<W>> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<W>) => client.call(operation, input),
    onSuccess: (answer, input) => onDone?.(answer, input),
    onSettled: () =>
      Promise.all(
        [nounOf(operation.name), ...changes].map((noun) =>
          queries.invalidateQueries({ queryKey: [noun] }),
        ),
      ),
  });
}

function paramsOf(input: unknown): string {
  return JSON.stringify((input as { readonly params?: unknown } | undefined)?.params ?? null);
}

export function keyOf(operation: Declaration, input: unknown): readonly unknown[] {
  return [nounOf(operation.name), operation.name, input];
}
