import clsx from 'clsx';
import { useId } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { useTexts } from '#i18n/texts-context.ts';
import type { ProfileResult } from '#messaging/protocol.ts';
import { dockLimits } from '#settings/dock-limits.ts';
import type { PanelLayout } from '#settings/schema.ts';
import { Announcer } from '#ui/announcer.tsx';
import { Button, IconButton } from '#ui/buttons/button.tsx';
import { useWindowWidth } from '#ui/hooks/use-window-width.ts';
import { ResizeHandle } from '#ui/resize-handle.tsx';
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
  layout: PanelLayout;
  onClose: () => void;
  onDock: (docked: boolean) => void;
  /** `done`: the agent has let go of the edge, or used a key. */
  onResize: (width: number, done: boolean) => void;
  onResult: (result: ProfileResult) => void;
}

/** The panel: a non-modal dialog over the ticket or, docked and where there is room, a column beside it. */
export function Panel(props: PanelProps) {
  const { ticket, visit, open, syncRequests, layout, onClose, onDock, onResize, onResult } = props;
  const { shell } = useTexts();
  const id = useId();
  const title = useId();
  const max = useWindowWidth() - dockLimits.page;
  const hasRoom = max >= dockLimits.panel;
  const docked = layout.docked && hasRoom;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it has a role, and Escape is for whatever is focused in it.
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has a role.
    <div
      id={id}
      role={docked ? 'complementary' : 'dialog'}
      hidden={!open}
      aria-labelledby={title}
      className={clsx('panel', docked ? 'column' : 'pop-up')}
      onKeyDown={(event) => {
        // A column is part of the page's layout: closing it takes more than the key that closes what pops up.
        if (docked || event.key !== 'Escape' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        onClose();
      }}
    >
      {docked && (
        <ResizeHandle
          label={shell.width}
          controls={id}
          width={Math.min(layout.width, max)}
          min={dockLimits.panel}
          max={max}
          onResize={onResize}
        />
      )}
      <div className="scroller">
        <Announcer topic={`${visit} ${ticket}`}>
          <div className="title-bar pinned-top z-2 flex h-11 items-center gap-2 bg-paper ps-4 pe-2">
            <h2 id={title} tabIndex={-1} className="flex min-w-0 flex-1 gap-1.5 text-xs text-ink-3" data-title="">
              <span className="font-medium whitespace-nowrap text-ink-2">{shell.title}</span>
              {ticket && <bdi className="truncate">{shell.ticket(ticket)}</bdi>}
            </h2>
            {hasRoom && (
              <IconButton
                icon={docked ? 'undock' : 'dock'}
                label={docked ? shell.undock : shell.dock}
                onClick={() => onDock(!docked)}
              />
            )}
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
      </div>
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
