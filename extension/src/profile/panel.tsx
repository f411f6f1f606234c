import { useId } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { useTexts } from '#i18n/texts-context.ts';
import type { ProfileResult } from '#messaging/protocol.ts';
import { Announcer } from '#ui/announcer.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { ProfileContent } from './profile-content.tsx';
import { MessageView } from './status/message-view.tsx';

interface PanelProps {
  /** Null: nothing to show. */
  ticket: string | null;
  /** Changes when the panel has to forget what it shows of the ticket. */
  visit: number;
  open: boolean;
  /** How often Sync customer was chosen for this ticket outside the panel. */
  syncRequests: number;
  onClose: () => void;
  onResult: (result: ProfileResult) => void;
}

/** The panel: a non-modal dialog beside the ticket. */
export function Panel({ ticket, visit, open, syncRequests, onClose, onResult }: PanelProps) {
  const { shell } = useTexts();
  const title = useId();
  return (
    <dialog
      open={open}
      aria-labelledby={title}
      className="panel"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        onClose();
      }}
    >
      <Announcer topic={`${visit} ${ticket}`}>
        <div className="pinned-top z-2 flex h-11 items-center gap-2 bg-paper ps-4 pe-2">
          <h2 id={title} tabIndex={-1} className="flex min-w-0 flex-1 gap-1.5 text-xs text-ink-3" data-title="">
            <span className="font-medium whitespace-nowrap text-ink-2">{shell.title}</span>
            {ticket && <bdi className="truncate">{shell.ticket(ticket)}</bdi>}
          </h2>
          <IconButton icon="close" label={shell.close} onClick={onClose} />
        </div>
        <ErrorBoundary FallbackComponent={Crash} resetKeys={[visit, ticket]}>
          {ticket !== null && (
            <ProfileContent
              key={`${visit} ${ticket}`}
              ticket={ticket}
              open={open}
              syncRequests={syncRequests}
              onResult={onResult}
            />
          )}
        </ErrorBoundary>
      </Announcer>
    </dialog>
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
