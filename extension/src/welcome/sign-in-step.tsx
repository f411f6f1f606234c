import { useCallback, useEffect, useState } from 'react';
import type { WelcomeTexts } from '#i18n/pages/welcome.ts';
import { ask } from '#messaging/page-protocol.ts';
import { Card, Notice } from '#options/components.tsx';
import { Ready } from './ready.tsx';
import { type Addresses, outcomeOf, type SignInOutcome, type SignInProblem } from './stage.ts';
import { useFocus } from './use-focus.ts';

interface SignInStepProps {
  addresses: Addresses;
  fixed: boolean;
  shortcut: string | null;
  /** The connection was tested: the state may be another one, and the language that of the person. */
  checked(): void;
  change(): void;
  texts: WelcomeTexts['signIn'];
}

/** What helps against a problem, besides telling somebody. */
const remedies: Partial<Record<SignInProblem, 'sign_in' | 'renew' | 'retry' | 'change'>> = {
  signed_out: 'sign_in',
  refused: 'sign_in',
  not_agent: 'renew',
  helpdesk_down: 'retry',
  proxy_down: 'retry',
  other_helpdesk: 'change',
  other: 'retry',
};

/** Signs in without a window where the helpdesk's own session allows it, and says what to do where it does not. */
export function SignInStep({ addresses, fixed, shortcut, checked, change, texts }: SignInStepProps) {
  const { helpdesk, proxy } = addresses;
  const [outcome, setOutcome] = useState<SignInOutcome | null>(null);
  const [isInWindow, setInWindow] = useState(false);
  const check = useCallback(
    async (first?: FirstThing) => {
      setOutcome(null);
      setInWindow(first !== undefined);
      try {
        const result = await first?.();
        setInWindow(false);
        const found = outcomeOf(await ask('options.test', {}), { helpdesk, proxy });
        // Who has just been to the helpdesk's own sign-in is not told to go there as if for the first time.
        const again = !found.ok && found.problem === 'signed_out' && result?.problem === 'signed_out';
        setOutcome(again ? { ...found, problem: 'refused' } : found);
      } catch {
        setOutcome({ ok: false, problem: 'other', code: 'internal' });
      }
      checked();
    },
    [helpdesk, proxy, checked],
  );
  useEffect(() => void check(), [check]);
  const busy = useFocus<HTMLParagraphElement>(outcome === null);

  if (outcome?.ok) return <Ready name={outcome.name} addresses={addresses} shortcut={shortcut} texts={texts.ready} />;
  return (
    <Card title={texts.heading}>
      {outcome === null && (
        <p ref={busy} tabIndex={-1} role="status">
          {isInWindow ? texts.finish : texts.busy}
        </p>
      )}
      {outcome && (
        <Problem outcome={outcome} addresses={addresses} fixed={fixed} check={check} change={change} texts={texts} />
      )}
    </Card>
  );
}

/** What is done before the connection is tested: a sign-in, and why it gave nothing. */
type FirstThing = () => Promise<{ problem: string | null }>;

interface ProblemProps extends Pick<SignInStepProps, 'addresses' | 'fixed' | 'change' | 'texts'> {
  outcome: SignInOutcome & { ok: false };
  check(first?: FirstThing): Promise<void>;
}

function Problem({ outcome, addresses, fixed, check, change, texts }: ProblemProps) {
  const remedy = remedies[outcome.problem];
  const button = useFocus<HTMLButtonElement>();
  const actions = {
    sign_in: () => void check(() => ask('options.signIn', {})),
    renew: () =>
      void check(async () => {
        // The token is still that of the other account.
        await ask('options.signOut', {});
        return ask('options.signIn', {});
      }),
    retry: () => void check(),
    change,
  };
  return (
    <>
      <Notice tone={outcome.problem === 'signed_out' ? 'warn' : 'bad'}>
        {texts.problems[outcome.problem]} {outcome.problem === 'other' && <code>{outcome.code}</code>}
      </Notice>
      <div className="actions">
        {remedy && !(remedy === 'change' && fixed) && (
          <button ref={button} type="button" className="primary" onClick={actions[remedy]}>
            {texts.actions[remedy]}
          </button>
        )}
        {remedy === 'renew' && (
          <a href={`${addresses.helpdesk}/helpdesk`} target="_blank" rel="noreferrer">
            {texts.openHelpdesk}
          </a>
        )}
      </div>
    </>
  );
}
