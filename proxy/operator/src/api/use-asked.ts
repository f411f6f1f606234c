import type { OperatorEndpoint, OperatorInput, OperatorOutput } from '@deskside/shared/operator/contract';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { callOperator } from './call.ts';

/** An answer of the proxy that is asked for again while it is on screen, every so many milliseconds. */
export function useAsked<E extends OperatorEndpoint>(
  endpoint: E,
  input: OperatorInput<E>,
  everyMs: number,
): UseQueryResult<OperatorOutput<E>> {
  return useQuery({
    queryKey: [endpoint, input],
    queryFn: ({ signal }) => callOperator(endpoint, input, signal),
    refetchInterval: everyMs,
    placeholderData: keepPreviousData,
  });
}
