import { useEffect, useRef } from 'react';
import type { Texts } from '../i18n/texts.ts';
import { useAnnounce } from '../ui/announcer.tsx';
import { changesBetween } from './changes.ts';
import { crmMessage } from './crm-message.ts';
import type { PanelView } from './panel-view.ts';
import { shownTrust } from './shown-trust.ts';
import { useTexts } from './texts-context.tsx';

/** Says aloud what the panel has come to show, and how a refresh ended. */
export function useAnnouncements(view: PanelView, refreshing: boolean, open: boolean): void {
  const t = useTexts();
  const announce = useAnnounce();
  const message = headline(view, t);
  useEffect(() => {
    if (open) announce(message);
  }, [open, message, announce]);

  const wasRefreshing = useRef(refreshing);
  useEffect(() => {
    if (
      open &&
      wasRefreshing.current &&
      !refreshing &&
      view.kind === 'profile' &&
      view.loaded.before &&
      !view.failure
    ) {
      const { before, profile } = view.loaded;
      announce(t.shell.refreshed(changesBetween(before, profile, t, Date.now()).size));
    }
    wasRefreshing.current = refreshing;
  });
}

function headline(view: PanelView, t: Texts): string {
  if (view.kind === 'loading') return t.shell.loading;
  if (view.kind === 'failure') return t.failures.code[view.error.code].title;
  const { profile } = view.loaded;
  const { company } = profile.bitrix;
  if (!company) return crmMessage(profile.bitrix, Date.now(), t).title;
  const name = company.company_name ?? company.title_full ?? t.fields.noName;
  return t.shell.loaded(name, t.trust.tag[shownTrust(profile) ?? 'unknown']);
}
