import { browser } from 'wxt/browser';
import { optionsTexts } from '#i18n/pages/options.ts';
import { resolveLanguage } from '#settings/language.ts';
import { AddressCard } from './address-card.tsx';
import { PageHead } from './components.tsx';
import { PreferencesCard } from './preferences-card.tsx';
import { SessionCard } from './session-card.tsx';
import { TestCard } from './test-card.tsx';
import { useOptions } from './use-options.ts';

/** All settings on one page. Everything goes through the background; the page never uses the network itself. */
export function OptionsPage() {
  const { state, failed, run } = useOptions();
  const language = state?.spoken ?? resolveLanguage('auto', null, browser.i18n.getUILanguage());
  const texts = optionsTexts[language];
  // A sign-in belongs to both addresses, so nothing asks for it before these are known.
  const unset = state && !(state.helpdesk.value && state.proxy.value);
  return (
    <main>
      <PageHead language={language} texts={texts} failed={failed} />
      {unset && (
        <p className="welcome">
          {texts.welcome} <a href="/welcome.html">{texts.setUp}</a>
        </p>
      )}
      {state && (
        <>
          <AddressCard state={state} run={run} texts={texts} />
          {!unset && (
            <>
              <SessionCard state={state} run={run} texts={texts} />
              <TestCard run={run} texts={texts} />
            </>
          )}
          <PreferencesCard state={state} run={run} texts={texts} />
          <footer className="soft">
            {!unset && (
              <p>
                <a href="/team.html">{texts.team}</a>
              </p>
            )}
            <p>{texts.version(state.version)}</p>
          </footer>
        </>
      )}
    </main>
  );
}
