import type { ProfileData } from '@deskside/shared/profile';
import { type ReactNode, type Ref, useId } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { Button, buttonLook } from '#ui/buttons/button.tsx';
import { MenuButton } from '#ui/buttons/menu-button.tsx';
import { Icon } from '#ui/icon.tsx';
import { mailtoUrl, safeHttpUrl, telUrl } from '#ui/links/safe-url.ts';
import type { Sync } from './sync/use-sync.ts';

const small = 'min-h-7! px-1.5! text-xs!';

interface ActionBarProps {
  profile: ProfileData;
  refreshing: boolean;
  onRefresh: () => void;
  sync: Sync;
  syncButton: Ref<HTMLButtonElement>;
  /** What is done rarely. */
  more: readonly { label: string; unavailable?: boolean; onChoose: () => void }[];
}

/** What an agent does with a company, each with one click; what the company lacks is left out. */
export function ActionBar({ profile, refreshing, onRefresh, sync, syncButton, more }: ActionBarProps) {
  const { shell } = useTexts();
  const reason = useId();
  const { company, responsible } = profile.bitrix;
  const phones = [company?.company_phone, profile.contact?.mobile_no, profile.contact?.phone, company?.owner_phone];
  const phone = phones.find((number) => telUrl(number ?? null) !== null) ?? null;
  const owner = responsible?.email ?? null;
  return (
    <div className="flex flex-wrap gap-1 border-b border-line px-4 py-2">
      <Shortcut href={telUrl(phone)} label={shell.callNumber(phone ?? '')}>
        {shell.call}
      </Shortcut>
      <Shortcut href={mailtoUrl(owner)} label={shell.writeToOwner(owner ?? '')}>
        {shell.owner}
      </Shortcut>
      <Shortcut href={safeHttpUrl(company?.url ?? null)} label={`${shell.openInCrm} (${shell.newTab})`}>
        {shell.crm}
        <Icon name="external" size={12} />
      </Shortcut>
      <div className="ms-auto flex gap-1">
        <Button
          ref={syncButton}
          aria-label={shell.sync}
          className={small}
          busy={sync.busy === 'preview'}
          unavailable={refreshing || sync.busy !== null || !sync.possible}
          aria-describedby={sync.possible ? undefined : reason}
          onClick={sync.preview}
        >
          {shell.syncShort}
        </Button>
        <Button
          aria-label={shell.refresh}
          title={shell.refresh}
          className={`${small} w-7`}
          icon="refresh"
          busy={refreshing}
          unavailable={sync.busy !== null}
          onClick={onRefresh}
        />
        <MenuButton label={shell.more} items={more} />
      </div>
      {!sync.possible && (
        <p id={reason} className="sr-only">
          {shell.syncReason}
        </p>
      )}
    </div>
  );
}

function Shortcut({ href, label, children }: { href: string | null; label: string; children: ReactNode }) {
  if (href === null) return null;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={label}
      title={label}
      className={`${buttonLook} ${small} border-line bg-paper text-ink hover:border-edge`}
    >
      {children}
    </a>
  );
}
