import type { OptionsTexts } from '#i18n/pages/options.ts';
import type { ConnectionTest, OptionsState } from '#messaging/page-protocol.ts';

/** One line of a test's result. `detail` is the proxy's own text. */
export interface TestLine {
  tone: 'ok' | 'warn' | 'bad';
  text: string;
  detail?: string | undefined;
}

/** The results of a connection test, in the order in which problems should be fixed. */
export function testLines(test: ConnectionTest, state: OptionsState, texts: OptionsTexts['test']): TestLine[] {
  const lines: TestLine[] = [];
  const say = (tone: TestLine['tone'], text: string, detail?: string) => lines.push({ tone, text, detail });
  for (const what of ['helpdesk', 'proxy'] as const) {
    if (state[what].value && !state[what].granted) say('bad', texts.noAccess(texts[what]));
  }
  const { discovery, whoami } = test;
  if (!discovery.ok) {
    say('bad', wording(texts.proxyProblems, discovery.error.code, texts));
    return lines;
  }
  say('ok', texts.answers(discovery.data.version));
  if (sameOrigin(discovery.data.helpdesk_url, state.helpdesk.value)) say('ok', texts.sameHelpdesk);
  else say('warn', texts.otherHelpdesk(discovery.data.helpdesk_url));
  if (!test.canSignIn) say('warn', texts.noClient);
  if (!whoami) return lines;
  if (!whoami.ok) {
    say('bad', wording({ ...texts.proxyProblems, ...texts.whoProblems }, whoami.error.code, texts));
    return lines;
  }
  const { user, full_name, is_agent, missing } = whoami.data;
  say('ok', texts.you(full_name ? `${full_name} (${user})` : user));
  say(is_agent ? 'ok' : 'bad', is_agent ? texts.agent : texts.noAgent);
  for (const { code, detail } of missing) say('warn', texts.gaps[code], detail);
  return lines;
}

function wording(words: Record<string, string>, code: string, texts: OptionsTexts['test']): string {
  return words[code] ?? texts.failed(code);
}

function sameOrigin(url: string, origin: string | null): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}
