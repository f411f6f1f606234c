import { useEffect, useRef } from 'react';
import type { Texts } from '#i18n/panel/texts.ts';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { shownTrust } from '#summary/shown-trust.ts';
import { useAnnounce } from '#ui/announcer.tsx';
import { changesBetween } from './company/changes.ts';
import { type PanelState, refreshProblem } from './query/panel-state.ts';
import { crmMessage } from './status/crm-message.ts';
import { trustWords } from './trust/trust-reason.ts';

/** Announces what the panel shows and the result of a refresh to screen readers. */
export function useAnnouncements(state: PanelState, refreshing: boolean, open: boolean): void {
  const t = useTexts();
  const announce = useAnnounce();
  const message = headline(state, t);
  useEffect(() => {
    if (open) announce(message);
  }, [open, message, announce]);

  const wasRefreshing = useRef(refreshing);
  useEffect(() => {
    if (open && wasRefreshing.current && !refreshing && state.kind === 'profile') {
      const { before, profile } = state.loaded;
      const problem = refreshProblem(state, t);
      if (problem) announce(t.shell.refreshFailed(problem));
      else if (before) announce(t.shell.refreshed(changesBetween(before, profile, t, Date.now()).size));
    }
    wasRefreshing.current = refreshing;
  });
}

function headline(state: PanelState, t: Texts): string {
  if (state.kind === 'loading') return t.shell.loading;
  if (state.kind === 'failure') return t.failures.code[state.error.code].title;
  const { profile } = state.loaded;
  const { company, lookup_trust } = profile.bitrix;
  if (!company) return crmMessage(profile.bitrix, Date.now(), t).title;
  const name = company.company_name ?? company.title_full ?? t.fields.noName;
  return t.shell.loaded(name, trustWords(shownTrust(profile) ?? 'unknown', lookup_trust, t));
}
