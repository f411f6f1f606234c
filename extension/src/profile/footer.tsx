import { type Ref, useId } from 'react';
import { useTexts } from '#i18n/texts-context.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ExternalLink } from '#ui/links/external-link.tsx';
import type { Sync } from './sync/use-sync.ts';

interface FooterProps {
  freshness: string;
  crmUrl: string | null;
  refreshing: boolean;
  onRefresh: () => void;
  sync: Sync;
  syncButton: Ref<HTMLButtonElement>;
}

/** Age and source of the data, and the actions on it. */
export function Footer({ freshness, crmUrl, refreshing, onRefresh, sync, syncButton }: FooterProps) {
  const { shell } = useTexts();
  const reason = useId();
  return (
    <div className="pinned-bottom border-t border-line bg-sunken px-4 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-3 text-xs">
        <p className="text-ink-3">{refreshing ? shell.refreshing : freshness}</p>
        {crmUrl && (
          <ExternalLink href={crmUrl} newTab={shell.newTab} className="text-sm font-medium">
            {shell.openInCrm}
          </ExternalLink>
        )}
      </div>
      <div className="mt-1.5 flex flex-wrap gap-1.5">
        <Button
          className="flex-auto"
          icon="refresh"
          busy={refreshing}
          unavailable={sync.busy !== null}
          onClick={onRefresh}
        >
          {shell.refresh}
        </Button>
        {/* Beside the preview's own button it would only be a second one of nearly the same name. */}
        {sync.stage.step !== 'preview' && (
          <Button
            ref={syncButton}
            className="flex-auto"
            icon="link"
            busy={sync.busy === 'preview'}
            unavailable={refreshing || sync.busy !== null || !sync.possible}
            aria-describedby={sync.possible ? undefined : reason}
            onClick={sync.preview}
          >
            {shell.sync}
          </Button>
        )}
      </div>
      {!sync.possible && (
        <p id={reason} className="mt-1.5 text-xs text-ink-3">
          {shell.syncReason}
        </p>
      )}
    </div>
  );
}
