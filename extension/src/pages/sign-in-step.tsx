import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { ask } from '#messaging/page-protocol.ts';
import { Card, Notice, useFocus } from './components.tsx';
import { type Addresses, outcomeOf, type SignInOutcome, type SignInProblem } from './stage.ts';
import type { OptionsTexts } from './texts.ts';

interface SignInStepProps {
  addresses: Addresses;
  shortcut: string | null;
  /** The connection was tested: the state may be another one, and the language that of the person. */
  checked(): void;
  /** Null: the address is the organisation's or the package's, and there is no other to choose. */
  change: (() => void) | null;
  texts: OptionsTexts;
}

/** What is done before the connection is tested: a sign-in, and why it gave nothing. */
type FirstThing = () => Promise<string | null | undefined>;

/** Signs in without a window where the helpdesk's own session allows it, and says what to do where it does not. */
export function SignInStep({ addresses, shortcut, checked, change, texts }: SignInStepProps) {
  const { helpdesk, proxy } = addresses;
  const words = texts.signIn;
  const [outcome, setOutcome] = useState<SignInOutcome | null>(null);
  const [isInWindow, setInWindow] = useState(false);
  const check = useCallback(
    async (first?: FirstThing) => {
      setOutcome(null);
      setInWindow(first !== undefined);
      const problem = await first?.();
      setInWindow(false);
      const found = outcomeOf(await ask('options.test', {}), { helpdesk, proxy });
      // Who has just been to the helpdesk's own sign-in is not told to go there as if for the first time.
      const again = !found.ok && found.problem === 'signed_out' && problem === 'signed_out';
      setOutcome(again ? { ...found, problem: 'refused' } : found);
      checked();
    },
    [helpdesk, proxy, checked],
  );
  useEffect(() => void check(), [check]);
  const busy = useFocus<HTMLParagraphElement>(outcome === null);
  const signOut = async () => {
    await ask('options.signOut', {});
    await check();
  };
  const changing = change && (
    <button type="button" onClick={change}>
      {texts.change}
    </button>
  );

  if (outcome?.ok)
    return (
      <Ready name={outcome.name} addresses={addresses} shortcut={shortcut} texts={texts.ready}>
        <button type="button" onClick={signOut}>
          {words.signOut}
        </button>
        {changing}
      </Ready>
    );
  return (
    <Card title={words.heading}>
      {outcome === null ? (
        <p ref={busy} tabIndex={-1} role="status">
          {isInWindow ? words.finish : words.busy}
        </p>
      ) : (
        <Problem outcome={outcome} helpdesk={helpdesk} check={check} texts={words}>
          {changing}
        </Problem>
      )}
    </Card>
  );
}

/** Everything works: the way to the first profile, what colleagues need, and the ways back. */
function Ready(props: {
  name: string;
  addresses: Addresses;
  shortcut: string | null;
  texts: OptionsTexts['ready'];
  children: ReactNode;
}) {
  const { name, addresses, shortcut, texts, children } = props;
  const tickets = useFocus<HTMLAnchorElement>();
  return (
    <Card title={texts.heading(name)}>
      <p>
        {texts.how}{' '}
        {shortcut && (
          <>
            {texts.or} <kbd>{shortcut}</kbd>
          </>
        )}
      </p>
      <div className="actions">
        <a ref={tickets} className="button primary" href={`${addresses.helpdesk}/helpdesk/tickets`}>
          {texts.tickets}
        </a>
        <a href="/team.html">{texts.team}</a>
      </div>
      <p>
        <span className="soft">{texts.colleagues}</span> <code>{addresses.proxy}</code>
      </p>
      <div className="actions">{children}</div>
    </Card>
  );
}

interface ProblemProps {
  outcome: SignInOutcome & { ok: false };
  helpdesk: string;
  check(first?: FirstThing): Promise<void>;
  texts: OptionsTexts['signIn'];
  /** The way to another address. */
  children: ReactNode;
}

/** Asking again helps nobody here: somebody else has to be told, or the address is another. */
const lasting: ReadonlySet<SignInProblem> = new Set(['no_client', 'other_helpdesk']);

function Problem({ outcome, helpdesk, check, texts, children }: ProblemProps) {
  const { problem, code } = outcome;
  const button = useFocus<HTMLButtonElement>();
  const signsIn = problem === 'signed_out' || problem === 'refused';
  const isOther = problem === 'not_agent';
  const signIn = async () => {
    // The token is still that of the other account.
    if (isOther) await ask('options.signOut', {});
    return ask('options.signIn', {});
  };
  return (
    <>
      <Notice tone={problem === 'signed_out' ? 'warn' : 'bad'}>
        {texts.problems[problem]} {problem === 'other' && <code>{code}</code>}
      </Notice>
      <div className="actions">
        {!lasting.has(problem) && (
          <button
            ref={button}
            type="button"
            className="primary"
            onClick={() => void check(signsIn || isOther ? signIn : undefined)}
          >
            {signsIn ? texts.signIn : texts.again}
          </button>
        )}
        {isOther && (
          <a href={`${helpdesk}/helpdesk`} target="_blank" rel="noreferrer">
            {texts.openHelpdesk}
          </a>
        )}
        {children}
      </div>
    </>
  );
}
