import { type MouseEvent, useEffect } from 'react';
import { browser } from 'wxt/browser';
import { type PopupAction, popupTexts } from '#i18n/pages/popup.ts';
import { ask, type PopupProblem, type RecentCustomer } from '#messaging/page-protocol.ts';
import { Notice, StatusIcon } from '#options/components.tsx';
import type { UiLanguage } from '#settings/schema.ts';
import { problemAction, problemMessage } from './popup-problem.ts';
import { usePopup } from './use-popup.ts';

/** What the toolbar button opens where there is no ticket: what is wrong, and the last customers. */
export function PopupPage() {
  const { state, failed, problem, busy, mend } = usePopup();
  const language = state?.language ?? 'en';
  const texts = popupTexts[language];
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  if (!state) return <main className="popup">{failed && <Notice tone="bad">{texts.failed}</Notice>}</main>;
  const { helpdesk, shortcut, customers } = state;
  const act: Record<PopupAction, () => Promise<unknown>> = {
    set_up: () => openPage('/welcome.html'),
    settings: openSettings,
    sign_in: () => mend(() => ask('options.signIn', {})),
    try_again: () => mend(async () => {}),
  };
  return (
    <main className="popup">
      <header>
        <img src="/icon/48.png" alt="" width="20" height="20" />
        <h1>Deskside</h1>
        <button type="button" onClick={openSettings}>
          {texts.settings}
        </button>
      </header>
      <div role="status">{problem && <Problem problem={problem} language={language} busy={busy} act={act} />}</div>
      <section aria-labelledby="recent">
        <h2 id="recent">{texts.heading}</h2>
        {customers.length === 0 && <p className="soft">{texts.empty}</p>}
        {helpdesk && customers.length > 0 && (
          <ul>
            {customers.map((customer) => (
              <Customer
                key={`${customer.orgId} ${customer.name}`}
                {...customer}
                helpdesk={helpdesk}
                language={language}
              />
            ))}
          </ul>
        )}
      </section>
      {(helpdesk || shortcut) && (
        <footer className="soft">
          {helpdesk && (
            <a href={`${helpdesk}/helpdesk/tickets`} target="_blank" rel="noreferrer" onClick={openTab}>
              {texts.openHelpdesk}
              <span className="visually-hidden"> ({texts.newTab})</span>
            </a>
          )}
          {shortcut && (
            <p>
              {texts.shortcut} <kbd>{shortcut}</kbd>
            </p>
          )}
        </footer>
      )}
    </main>
  );
}

interface ProblemProps {
  problem: PopupProblem;
  language: UiLanguage;
  busy: boolean;
  act: Record<PopupAction, () => Promise<unknown>>;
}

function Problem({ problem, language, busy, act }: ProblemProps) {
  const texts = popupTexts[language];
  const { title, body } = problemMessage(problem, language);
  const action = problemAction(problem);
  return (
    <div className="wrong">
      <StatusIcon tone="warn" />
      <div>
        <p>
          <strong>{title}</strong>
        </p>
        <p className="soft">{body}</p>
        {action && (
          <button type="button" className="primary" disabled={busy} aria-busy={busy} onClick={act[action]}>
            {busy ? texts.working : texts.actions[action]}
          </button>
        )}
      </div>
    </div>
  );
}

function Customer({
  name,
  orgId,
  ticket,
  helpdesk,
  language,
}: RecentCustomer & { helpdesk: string; language: UiLanguage }) {
  const texts = popupTexts[language];
  return (
    <li>
      <a
        href={`${helpdesk}/helpdesk/tickets/${encodeURIComponent(ticket)}`}
        target="_blank"
        rel="noreferrer"
        onClick={openTab}
      >
        <bdi className="name" title={name}>
          {name}
        </bdi>
        <span className="soft">
          {orgId && (
            <>
              <bdi>{texts.orgId(orgId)}</bdi>
              {' · '}
            </>
          )}
          <bdi>{texts.ticket(ticket)}</bdi>
          <span className="visually-hidden"> ({texts.newTab})</span>
        </span>
      </a>
    </li>
  );
}

/** Follows a link and closes the popup, which some browsers leave open. */
async function openTab(event: MouseEvent<HTMLAnchorElement>): Promise<void> {
  event.preventDefault();
  await openPage(event.currentTarget.href);
}

async function openPage(url: string): Promise<void> {
  await browser.tabs.create({ url });
  close();
}

async function openSettings(): Promise<void> {
  await browser.runtime.openOptionsPage();
  close();
}
