import { useCallback, useState } from 'react';
import { browser } from 'wxt/browser';
import { welcomeTexts } from '#i18n/pages/welcome.ts';
import { ask } from '#messaging/page-protocol.ts';
import { PageHead } from '#options/components.tsx';
import { useOptions } from '#options/use-options.ts';
import { resolveLanguage } from '#settings/language.ts';
import { AccessStep } from './access-step.tsx';
import { AddressStep } from './address-step.tsx';
import { SignInStep } from './sign-in-step.tsx';
import { type Addresses, addressInLink, stageOf } from './stage.ts';

/** The first run: an address, the browser's permission, and a sign-in that needs no hands. */
export function WelcomePage() {
  const { state, failed, run } = useOptions();
  const [found, setFound] = useState<Addresses | null>(null);
  const [changing, setChanging] = useState(false);
  const language = state?.spoken ?? resolveLanguage('auto', null, browser.i18n.getUILanguage());
  const texts = welcomeTexts[language];
  const reload = useCallback(() => void run(() => ask('options.state', {})), [run]);
  const stage = state && stageOf(state, found, changing);
  const linked = addressInLink(location.hash);

  return (
    <main>
      <PageHead language={language} texts={texts} failed={failed} />
      {stage && <Progress at={stage.at} texts={texts.steps} label={texts.progress} />}
      {stage?.at === 'address' && state && (
        <AddressStep state={state} linked={linked} found={setFound} texts={texts.address} />
      )}
      {stage?.at === 'access' && state && (
        <AccessStep
          addresses={stage}
          fixed={state.proxy.lock !== null}
          run={run}
          done={() => {
            setFound(null);
            setChanging(false);
          }}
          change={() => {
            setFound(null);
            setChanging(true);
          }}
          texts={texts.access}
        />
      )}
      {stage?.at === 'sign_in' && state && (
        <SignInStep
          addresses={stage}
          fixed={state.proxy.lock !== null}
          shortcut={state.shortcut}
          checked={reload}
          change={() => setChanging(true)}
          texts={texts.signIn}
        />
      )}
      <footer className="soft">
        <a href="/options.html">{texts.settings}</a>
      </footer>
    </main>
  );
}

const steps = ['address', 'access', 'sign_in'] as const;
type Step = (typeof steps)[number];

/** Where in the three steps the person is. */
function Progress({ at, texts, label }: { at: Step; texts: Record<Step, string>; label: string }) {
  const now = steps.indexOf(at);
  return (
    <ol className="progress" aria-label={label}>
      {steps.map((step, i) => (
        <li key={step} aria-current={step === at ? 'step' : undefined} className={i < now ? 'past' : undefined}>
          {texts[step]}
        </li>
      ))}
    </ol>
  );
}
