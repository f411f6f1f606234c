import { useId } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import type { ProfileResult } from '../messaging/protocol.ts';
import { Announcer } from '../ui/announcer.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { MessageView } from './message-view.tsx';
import { ProfileContent } from './profile-content.tsx';
import { useTexts } from './texts-context.tsx';

interface PanelProps {
  /** Null: nothing to show, and nothing kept. */
  ticket: string | null;
  open: boolean;
  /** How often Sync customer was chosen for this ticket outside of the panel. */
  syncAsked: number;
  onClose: () => void;
  onResult: (result: ProfileResult) => void;
}

/** The panel: a dialog beside the ticket that blocks nothing (WAI-ARIA, non-modal dialog). */
export function Panel({ ticket, open, syncAsked, onClose, onResult }: PanelProps) {
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
      <Announcer topic={ticket}>
        <div className="pinned-top z-2 flex h-11 items-center gap-2 bg-paper ps-4 pe-2">
          <h2 id={title} tabIndex={-1} className="flex min-w-0 flex-1 gap-1.5 text-xs text-ink-3" data-title="">
            <span className="font-medium whitespace-nowrap text-ink-2">{shell.title}</span>
            {ticket && <bdi className="truncate">{shell.ticket(ticket)}</bdi>}
          </h2>
          <IconButton icon="close" label={shell.close} onClick={onClose} />
        </div>
        <ErrorBoundary FallbackComponent={Fault} resetKeys={[ticket]}>
          {ticket !== null && (
            <ProfileContent key={ticket} ticket={ticket} open={open} syncAsked={syncAsked} onResult={onResult} />
          )}
        </ErrorBoundary>
      </Announcer>
    </dialog>
  );
}

/** A fault of the panel itself: contained, so that the ticket page and the title bar go on working. */
function Fault({ resetErrorBoundary }: FallbackProps) {
  const { failures, shell } = useTexts();
  return (
    <MessageView icon="alert" {...failures.fault}>
      <Button icon="refresh" onClick={resetErrorBoundary}>
        {shell.tryAgain}
      </Button>
    </MessageView>
  );
}
