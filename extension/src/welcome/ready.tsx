import { useState } from 'react';
import type { WelcomeTexts } from '#i18n/pages/welcome.ts';
import { Card } from '#options/components.tsx';
import type { Addresses } from './stage.ts';
import { useFocus } from './use-focus.ts';

interface ReadyProps {
  name: string;
  addresses: Addresses;
  shortcut: string | null;
  texts: WelcomeTexts['signIn']['ready'];
}

/** Everything works: the way to the first profile, and what colleagues need. */
export function Ready({ name, addresses, shortcut, texts }: ReadyProps) {
  const tickets = useFocus<HTMLAnchorElement>();
  const [copied, setCopied] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(addresses.proxy).then(
      () => setCopied(texts.copied),
      () => setCopied(texts.copyFailed),
    );
  return (
    <Card title={texts.heading(name)}>
      <p>
        {texts.how}{' '}
        {shortcut && (
          <>
            {texts.or} <kbd>{shortcut}</kbd>
          </>
        )}
      </p>
      <a ref={tickets} className="button primary" href={`${addresses.helpdesk}/helpdesk/tickets`}>
        {texts.tickets}
      </a>
      <div className="row">
        <p>
          <span className="soft">{texts.colleagues}</span> <code>{addresses.proxy}</code>
        </p>
        <button type="button" onClick={copy}>
          {texts.copy}
        </button>
      </div>
      <p role="status" className="soft">
        {copied}
      </p>
    </Card>
  );
}
