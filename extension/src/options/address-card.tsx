import { type FormEvent, useState } from 'react';
import { ask } from '#messaging/page-protocol.ts';
import { requestOrigins } from '#platform/permissions.ts';
import { parseAddress } from '#settings/address.ts';
import { Card, Field, Notice } from './components.tsx';
import type { CardProps } from './use-options.ts';

const names = ['helpdesk', 'proxy'] as const;
type Name = (typeof names)[number];

/** Both addresses, saved and granted in one click. */
export function AddressCard({ state, run, texts }: CardProps) {
  const words = texts.addresses;
  const [typed, setTyped] = useState({ helpdesk: state.helpdesk.value ?? '', proxy: state.proxy.value ?? '' });
  const [tried, setTried] = useState(false);
  const [outcome, setOutcome] = useState<'saved' | 'denied' | null>(null);
  const parsed = { helpdesk: parseAddress(typed.helpdesk), proxy: parseAddress(typed.proxy) };
  const locked = names.every((name) => state[name].lock);
  const granted = names.every((name) => state[name].granted);

  async function save(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    const { helpdesk, proxy } = parsed;
    if (!helpdesk.ok || !proxy.ok) return;
    // Before anything is awaited: the browser only shows its permission prompt in response to a click.
    const asked = requestOrigins([helpdesk.origin, proxy.origin]).catch(() => false);
    setTyped({ helpdesk: helpdesk.origin, proxy: proxy.origin });
    const saved = await run(() => ask('options.saveAddresses', { helpdesk: helpdesk.origin, proxy: proxy.origin }));
    await asked;
    const now = saved && (await run(() => ask('options.state', {})));
    if (now) setOutcome(names.every((name) => now[name].granted) ? 'saved' : 'denied');
  }

  const field = (name: Name) => {
    const { value, lock, granted } = state[name];
    const result = parsed[name];
    const missing = value === typed[name] && value && !granted ? words.missing : undefined;
    return (
      <Field
        key={name}
        label={words[name]}
        type="url"
        inputMode="url"
        placeholder={words[`${name}Example`]}
        value={typed[name]}
        readOnly={lock !== null}
        hint={lock ? words.locks[lock] : undefined}
        problem={tried && !result.ok ? words.problems[result.problem] : missing}
        onChange={(event) => {
          setTyped({ ...typed, [name]: event.target.value });
          setOutcome(null);
        }}
      />
    );
  };

  return (
    <Card title={words.heading} lead={words.lead}>
      <form noValidate onSubmit={save}>
        {names.map(field)}
        {!(locked && granted) && (
          <button type="submit" className="primary">
            {locked ? words.allow : words.save}
          </button>
        )}
        <Notice tone={outcome === 'denied' ? 'warn' : 'ok'}>{outcome && words[outcome]}</Notice>
      </form>
    </Card>
  );
}
