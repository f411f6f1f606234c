import type { OptionsState } from '#messaging/page-protocol.ts';

export const helpdesk = 'https://help.example';
export const proxy = 'https://proxy.example';

/** What the proxy tells anybody of itself. */
export const discovery = {
  name: 'deskside' as const,
  version: '1',
  helpdesk_url: helpdesk,
  oauth_client_ids: { chrome: 'c' },
};

/** What it tells an agent of themselves. */
export const whoami = {
  user: 'an@help.example',
  full_name: 'Nguyễn An',
  language: null,
  is_agent: true,
  is_manager: false,
  missing: [],
  proxy_version: '1',
  helpdesk_url: helpdesk,
};

const none = { value: null, lock: null, granted: false };

/** What the options page is told where nothing is set, with changes to it. */
export function sampleState(change: Partial<OptionsState> = {}): OptionsState {
  return {
    helpdesk: none,
    proxy: none,
    language: 'auto',
    spoken: 'en',
    languageLocked: false,
    shortcut: 'Alt+Shift+K',
    version: '1',
    ...change,
  };
}
