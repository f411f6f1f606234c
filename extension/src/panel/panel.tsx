import type { ProfileData } from '@deskside/shared/profile';
import clsx from 'clsx';
import { useId, useState } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import type { Result } from '#messaging/protocol.ts';
import { Announcer } from '#ui/announcer.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { HeadContext, OpenedContext } from './parts/page.ts';
import { ProfileContent } from './profile-content.tsx';
import { MessageView } from './status/views.tsx';
import { useTexts } from './texts/texts.ts';

/** Over the helpdesk's own column, or over the page where that has no column. */
export type Place = 'column' | 'floating';

interface PanelProps {
  ticket: string | null;
  /** Changes when the panel has to forget what it shows of the ticket. */
  visit: number;
  place: Place;
  isThere: boolean;
  /** Whether the customer is on screen, and not the helpdesk's own face of the column. */
  isFacing: boolean;
  syncRequests: number;
  shortcut: string | null;
  onFace: (isFacing: boolean) => void;
  onClose: () => void;
  onResult: (result: Result<ProfileData>) => void;
}

/** The panel: a face of the helpdesk's own column or, where the page has none, a non-modal dialog over it. */
export function Panel(props: PanelProps) {
  const { ticket, visit, place, isThere, isFacing, syncRequests, onClose, onResult } = props;
  const { shell } = useTexts();
  const title = useId();
  const [head, setHead] = useState<HTMLElement | null>(null);
  const [opened] = useState(() => new Set<string>());
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it has a role, and Escape is for whatever is focused in it.
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has a role.
    <div
      role={place === 'floating' ? 'dialog' : 'complementary'}
      hidden={!isThere}
      aria-labelledby={title}
      className={clsx('panel', place, !isFacing && 'turned')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        onClose();
      }}
    >
      <Announcer topic={`${visit} ${ticket}`}>
        <div className="flex h-11 shrink-0 items-center border-b border-line ps-2 pe-2">
          {place === 'column' && <Faces {...props} />}
          <span ref={setHead} hidden={!isFacing} className="ms-auto flex" />
          <IconButton icon="close" label={shell.close} onClick={onClose} />
          {/* Behind the buttons, so that what comes next with Tab is the next step. */}
          <h2
            id={title}
            tabIndex={-1}
            className={clsx(
              'order-first flex min-w-0 gap-1.5 ps-2 text-xs text-ink-3',
              place === 'column' && 'sr-only',
            )}
            data-title=""
          >
            <span className="font-medium whitespace-nowrap text-ink-2">{shell.title}</span>
            {ticket && <bdi className="truncate">{shell.ticket(ticket)}</bdi>}
          </h2>
        </div>
        <div hidden={!isFacing} className="contents">
          <HeadContext value={head}>
            <OpenedContext value={opened}>
              <ErrorBoundary FallbackComponent={Crash} resetKeys={[visit, ticket]}>
                {ticket !== null && (
                  <ProfileContent
                    key={`${visit} ${ticket}`}
                    ticket={ticket}
                    open={isFacing}
                    syncRequests={syncRequests}
                    onResult={onResult}
                  />
                )}
              </ErrorBoundary>
            </OpenedContext>
          </HeadContext>
        </div>
      </Announcer>
    </div>
  );
}

/** The switch at the head of the column: the helpdesk's own fields of the ticket, or its customer. */
function Faces({ isFacing, shortcut, onFace }: Pick<PanelProps, 'isFacing' | 'shortcut' | 'onFace'>) {
  const { shell } = useTexts();
  return (
    <div className="flex self-stretch">
      {[false, true].map((customer) => (
        <button
          key={String(customer)}
          type="button"
          aria-pressed={customer === isFacing}
          title={shortcut ?? undefined}
          data-face={customer ? undefined : ''}
          className="face"
          onClick={() => onFace(customer)}
        >
          {customer ? shell.customerFace : shell.ticketFace}
        </button>
      ))}
    </div>
  );
}

/** Shown after a crash of the panel's content; the ticket page and the title bar go on working. */
function Crash({ resetErrorBoundary }: FallbackProps) {
  const { failures, shell } = useTexts();
  return (
    <MessageView icon="alert" {...failures.crash}>
      <Button icon="refresh" onClick={resetErrorBoundary}>
        {shell.tryAgain}
      </Button>
    </MessageView>
  );
}
