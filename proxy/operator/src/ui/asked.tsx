import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { Skeleton } from './skeleton.tsx';

interface Question<T> {
  data: T | undefined;
  error: unknown;
  isError: boolean;
  refetch(): unknown;
}

/** What an answer shows: while it is awaited, once it is there, and if it failed, with what was there before. */
export function Asked<T>({
  question,
  rows,
  children,
}: {
  question: Question<T>;
  rows?: number;
  children: (data: T) => ReactNode;
}) {
  const { data, error, isError } = question;
  return (
    <>
      {isError && <Failure error={error} stale={data !== undefined} onRetry={() => void question.refetch()} />}
      {data === undefined ? !isError && <Skeleton rows={rows ?? 3} /> : children(data)}
    </>
  );
}
