import { useState } from 'react';
import type { WelcomeTexts } from '#i18n/pages/welcome.ts';
import { ask } from '#messaging/page-protocol.ts';
import { Card, Notice } from '#options/components.tsx';
import type { Options } from '#options/use-options.ts';
import { requestOrigins } from '#platform/permissions.ts';
import type { Addresses } from './stage.ts';
import { useFocus } from './use-focus.ts';

interface AccessStepProps {
  addresses: Addresses;
  /** The address is the organisation's or the package's: there is no other to choose. */
  fixed: boolean;
  run: Options['run'];
  done(): void;
  change(): void;
  texts: WelcomeTexts['access'];
}

/** Says what the browser is going to ask and why, then lets it ask. A refusal changes nothing and can be repeated. */
export function AccessStep({ addresses, fixed, run, done, change, texts }: AccessStepProps) {
  const { helpdesk, proxy } = addresses;
  const [refused, setRefused] = useState(false);
  const button = useFocus<HTMLButtonElement>(refused);

  async function allow() {
    setRefused(false);
    // Before anything is awaited: the browser only shows its permission prompt in response to a click.
    const granted = await requestOrigins([helpdesk, proxy]).catch(() => false);
    if (!granted) return setRefused(true);
    if (await run(() => ask('options.saveAddresses', { helpdesk, proxy }))) done();
  }

  return (
    <Card title={texts.heading} lead={texts.lead}>
      <dl className="addresses">
        <div>
          <dt>{texts.helpdesk}</dt>
          <dd>
            <b>{new URL(helpdesk).host}</b>
            <span className="soft">{texts.helpdeskWhy}</span>
          </dd>
        </div>
        <div>
          <dt>{texts.proxy}</dt>
          <dd>
            <b>{new URL(proxy).host}</b>
            <span className="soft">{texts.proxyWhy}</span>
          </dd>
        </div>
      </dl>
      {!fixed && <p className="soft">{texts.careful}</p>}
      <div className="actions">
        <button ref={button} type="button" className="primary" onClick={allow}>
          {texts.allow}
        </button>
        {!fixed && (
          <button type="button" onClick={change}>
            {texts.change}
          </button>
        )}
      </div>
      <Notice tone="warn">{refused && texts.refused}</Notice>
    </Card>
  );
}
