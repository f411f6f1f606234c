import { useCallback, useEffect, useId, useState } from 'react';
import { browser } from 'wxt/browser';
import { openShortcutSettings } from '#browser/browser.ts';
import { onPolicyLearnt } from '#browser/settings.ts';
import { resolveLanguage } from '#i18n/language.ts';
import { ask, type OptionsState } from '#messaging/page-protocol.ts';
import { Language } from '#messaging/settings.ts';
import { AccessStep, AddressStep } from './address-steps.tsx';
import { Card, Notice } from './components.tsx';
import { SignInStep } from './sign-in-step.tsx';
import { type Addresses, addressInLink, type RunChange, stageOf } from './stage.ts';
import { type OptionsTexts, optionsTextsIn } from './texts.ts';

/**
 * The first run and all settings: an address, the browser's permission, and a sign-in that needs no hands; language and
 * keyboard. Everything goes through the background; the page never uses the network itself.
 */
export function OptionsPage() {
  const { state, failed, run, reload } = useOptions();
  const [found, setFound] = useState<Addresses | null>(null);
  const [changing, setChanging] = useState(false);
  const language = state?.spoken ?? resolveLanguage('auto', null, browser.i18n.getUILanguage());
  const texts = optionsTextsIn(language);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = texts.title;
  }, [language, texts.title]);
  const to = (isChanging: boolean) => () => {
    setFound(null);
    setChanging(isChanging);
  };
  const stage = state && stageOf(state, found, changing);
  return (
    <main>
      <header>
        <img src="/icon/128.png" alt="" width="44" height="44" />
        <div>
          <h1>{texts.title}</h1>
          <p className="soft">{texts.lead}</p>
        </div>
      </header>
      <Notice tone="bad">{failed && texts.failed}</Notice>
      {state && stage && (
        <>
          <Progress at={stage.at} texts={texts} />
          {stage.at === 'address' && (
            <AddressStep state={state} linked={addressInLink(location.hash)} found={setFound} texts={texts.address} />
          )}
          {stage.at === 'access' && (
            <AccessStep
              addresses={stage}
              run={run}
              done={to(false)}
              change={state.proxy.lock === null ? to(true) : null}
              texts={texts}
            />
          )}
          {stage.at === 'sign_in' && (
            <SignInStep
              addresses={stage}
              shortcut={state.shortcut}
              checked={reload}
              change={state.proxy.lock === null ? to(true) : null}
              texts={texts}
            />
          )}
          <Preferences state={state} run={run} texts={texts} />
          <footer className="soft">{texts.version(state.version)}</footer>
        </>
      )}
    </main>
  );
}

const steps = ['address', 'access', 'sign_in'] as const;

/** Where in the three steps the person is. */
function Progress({ at, texts }: { at: (typeof steps)[number]; texts: OptionsTexts }) {
  const now = steps.indexOf(at);
  return (
    <ol className="progress" aria-label={texts.progress}>
      {steps.map((step, nth) => (
        <li key={step} aria-current={step === at ? 'step' : undefined} className={nth < now ? 'past' : undefined}>
          {texts.steps[step]}
        </li>
      ))}
    </ol>
  );
}

/** Each in its own words. */
const languages = { en: 'English', vi: 'Tiếng Việt' };

/** The language, and the keyboard shortcut as set in the browser. */
function Preferences({ state, run, texts }: { state: OptionsState; run: RunChange; texts: OptionsTexts }) {
  const words = texts.preferences;
  const id = useId();
  return (
    <Card title={words.heading}>
      <div className="row">
        <label htmlFor={id}>{words.language}</label>
        <select
          id={id}
          value={state.language}
          disabled={state.languageLocked}
          onChange={({ target }) => run(() => ask('options.saveLanguage', { language: Language.parse(target.value) }))}
        >
          {Language.options.map((language) => (
            <option key={language} value={language}>
              {language === 'auto' ? words.auto : languages[language]}
            </option>
          ))}
        </select>
      </div>
      {state.languageLocked && <p className="soft">{texts.address.locked}</p>}
      <div className="row">
        <p>
          {words.shortcut} <kbd>{state.shortcut ?? words.noShortcut}</kbd>
        </p>
        <button type="button" onClick={openShortcutSettings}>
          {words.changeShortcut}
        </button>
      </div>
    </Card>
  );
}

/** The background's settings, read again when permissions or the organisation's policy change. */
function useOptions() {
  /** Null until the background has answered. */
  const [state, setState] = useState<OptionsState | null>(null);
  const [failed, setFailed] = useState(false);
  const run: RunChange = useCallback(async (change) => {
    const next = await change();
    if (next) setState(next);
    setFailed(next === undefined);
    return next;
  }, []);
  const reload = useCallback(() => void run(() => ask('options.state', {})), [run]);
  useEffect(() => {
    reload();
    const { onAdded, onRemoved } = browser.permissions;
    for (const event of [onAdded, onRemoved]) event.addListener(reload);
    const unwatch = onPolicyLearnt(reload);
    return () => {
      unwatch();
      for (const event of [onAdded, onRemoved]) event.removeListener(reload);
    };
  }, [reload]);
  return { state, failed, run, reload };
}
