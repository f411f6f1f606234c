import { SignInProblem } from '@deskside/shared/operator/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callOperator } from '#api/call.ts';
import { isSignedOut } from '#api/query-client.ts';
import type { Language } from '#i18n/texts.ts';
import { Failure } from '#ui/failure.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Frame } from './frame.tsx';
import { SignedOut } from './signed-out.tsx';

/** Whoever is signed in sees the pages; everybody else how to sign in. */
export function Session({
  prefer,
  choose,
}: {
  prefer: (language: string | null) => void;
  choose: (language: Language) => void;
}) {
  const me = useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) =>
      callOperator('me', {}, signal).catch((error: unknown) => {
        if (isSignedOut(error)) return null;
        throw error;
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const language = me.data?.language;
  useEffect(() => {
    if (language !== undefined) prefer(language);
  }, [language, prefer]);

  if (me.data) return <Frame me={me.data} choose={choose} />;
  if (me.isPending || me.isError) {
    return (
      <main className="mx-auto max-w-120 px-4 py-16">
        {me.isError ? <Failure error={me.error} onRetry={() => void me.refetch()} /> : <Skeleton />}
      </main>
    );
  }
  const { data: problem = null } = SignInProblem.safeParse(new URLSearchParams(location.search).get('sign_in'));
  return <SignedOut problem={problem} choose={choose} />;
}
