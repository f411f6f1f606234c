import { Button } from '@deskside/extension/ui/button';
import type { OperatorMe } from '@deskside/shared/operator/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { type MouseEvent, useEffect, useRef } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { callOperator } from '#api/call.ts';
import { forgetSession } from '#api/query-client.ts';
import { CustomersPage } from '#customers/customers-page.tsx';
import { type Language, useTexts } from '#i18n/texts.ts';
import { RoutingPage } from '#routing/routing-page.tsx';
import { SettingsPage } from '#settings/settings-page.tsx';
import { TodayPage } from '#today/today-page.tsx';
import { Failure } from '#ui/failure.tsx';
import { HelpdeskContext } from '#ui/ticket-link.tsx';
import { Broken } from './broken.tsx';
import { LanguageChoice } from './language-choice.tsx';
import { goTo, type PageName, pages, usePage } from './page-address.ts';

/** The pages, and what is around them. */
export function Frame({ me, choose }: { me: OperatorMe; choose: (language: Language) => void }) {
  const { frame } = useTexts();
  const page = usePage();
  const heading = useFocusOn(page);
  const queries = useQueryClient();
  const signOut = useMutation({
    mutationFn: () => callOperator('signOut', {}),
    onSuccess: () => {
      history.replaceState(null, '', pages.today);
      forgetSession(queries);
    },
  });
  return (
    <>
      <title>{`${frame.pages[page]} · ${frame.name}`}</title>
      <a
        href="#content"
        className="sr-only rounded-md bg-paper p-2 focus:not-sr-only focus:absolute focus:start-2 focus:top-2 focus:z-20"
      >
        {frame.skip}
      </a>
      <header className="border-b border-line bg-paper">
        <div className="mx-auto flex max-w-300 flex-wrap items-center gap-x-6 gap-y-2 px-4 py-2">
          <p className="text-md font-semibold">{frame.name}</p>
          <nav aria-label={frame.nav} className="order-last flex w-full gap-1 sm:order-none sm:w-auto">
            {(Object.keys(pages) as PageName[]).map((name) => (
              <PageLink key={name} name={name} current={name === page} />
            ))}
          </nav>
          <div className="ms-auto flex flex-wrap items-center justify-end gap-2">
            <LanguageChoice choose={choose} />
            <Button busy={signOut.isPending} onClick={() => signOut.mutate()}>
              {frame.signOut}
            </Button>
          </div>
        </div>
      </header>
      <main id="content" className="mx-auto flex max-w-300 flex-col gap-4 px-4 py-6">
        <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold outline-none">
          {frame.pages[page]}
        </h1>
        {signOut.isError && <Failure error={signOut.error} onRetry={() => signOut.mutate()} />}
        <ErrorBoundary key={page} FallbackComponent={Broken}>
          <HelpdeskContext value={me.helpdesk_url}>
            {page === 'today' && <TodayPage mayChange={me.may_change_settings} />}
            {page === 'routing' && <RoutingPage />}
            {page === 'customers' && <CustomersPage mayChange={me.may_change_settings} />}
            {page === 'settings' && <SettingsPage mayChange={me.may_change_settings} />}
          </HelpdeskContext>
        </ErrorBoundary>
        <footer className="text-sm text-ink-3">
          {frame.version(me.proxy_version)} · <bdi>{me.helpdesk_url}</bdi> · {frame.signedInAs(me.full_name ?? me.user)}
        </footer>
      </main>
    </>
  );
}

function PageLink({ name, current }: { name: PageName; current: boolean }) {
  const { frame } = useTexts();
  const follow = (event: MouseEvent) => {
    // Another tab or window is the browser's matter.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    goTo(name);
  };
  return (
    <a
      href={pages[name]}
      onClick={follow}
      aria-current={current ? 'page' : undefined}
      className={clsx(
        'inline-flex min-h-9 items-center rounded-md px-3 text-sm font-medium',
        current ? 'bg-sunken text-ink' : 'text-ink-2 hover:bg-sunken hover:text-ink',
      )}
    >
      {frame.pages[name]}
    </a>
  );
}

/** The heading of a page that somebody went to has the focus, so that a screen reader says where they are. */
function useFocusOn(page: PageName) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    scrollTo(0, 0);
    heading.current?.focus();
  }, [page]);
  return heading;
}
