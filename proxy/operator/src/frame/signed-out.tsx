import { Icon } from '@deskside/extension/ui/icon';
import { Note } from '@deskside/extension/ui/note';
import type { SignInProblem } from '@deskside/shared/operator/contract';
import { type Language, useTexts } from '#i18n/texts.ts';
import { LanguageChoice } from './language-choice.tsx';

/** For whoever is not signed in. `problem`: why the last attempt came to nothing. */
export function SignedOut({
  problem,
  choose,
}: {
  problem: SignInProblem | null;
  choose: (language: Language) => void;
}) {
  const { frame } = useTexts();
  return (
    <main className="mx-auto flex max-w-120 flex-col items-start gap-4 px-4 py-16">
      <title>{`${frame.name} · ${frame.signIn}`}</title>
      <p className="text-sm font-semibold text-ink-2">{frame.name}</p>
      <h1 className="text-xl font-semibold">{frame.signedOut.title}</h1>
      {problem && (
        <div role="alert">
          <Note
            tone={problem === 'not_allowed' || problem === 'expired' ? 'warn' : 'bad'}
            title={frame.problem[problem].title}
          >
            <p>{frame.problem[problem].body}</p>
          </Note>
        </div>
      )}
      <p className="text-ink-2">{frame.signedOut.body}</p>
      <a
        href="/operator/sign-in"
        className="inline-flex min-h-10 items-center gap-2 rounded-md bg-solid px-4 text-sm font-medium text-on-solid"
      >
        <Icon name="person" />
        {frame.signIn}
      </a>
      <LanguageChoice choose={choose} />
    </main>
  );
}
