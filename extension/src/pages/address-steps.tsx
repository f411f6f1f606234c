import { useEffect, useState } from 'react';
import { requestOrigins } from '#browser/browser.ts';
import { ask, type OptionsState } from '#messaging/page-protocol.ts';
import { parseAddress } from '#messaging/settings.ts';
import { Card, Field, Notice, useFocus } from './components.tsx';
import type { Addresses, RunChange } from './stage.ts';
import type { OptionsTexts } from './texts.ts';

interface AddressStepProps {
  state: OptionsState;
  /** An address that came with a link; the person has to confirm it. */
  linked: string;
  found(addresses: Addresses): void;
  texts: OptionsTexts['address'];
}

/** The only field of the first run: the proxy's address. The proxy names the helpdesk. */
export function AddressStep({ state, linked, found, texts }: AddressStepProps) {
  const locked = state.proxy.lock !== null && state.proxy.value;
  const [typed, setTyped] = useState(state.proxy.value ?? linked);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const field = useFocus<HTMLInputElement>();

  async function find(address: string) {
    const parsed = parseAddress(address);
    if (!parsed.ok) return refuse(texts.problems[parsed.problem]);
    setProblem(null);
    setTyped(parsed.origin);
    setBusy(true);
    const result = await ask('welcome.find', { proxy: parsed.origin });
    setBusy(false);
    if (!result?.ok) {
      const answers: Partial<Record<string, string>> = texts.answers;
      const code = result?.error.code ?? 'internal';
      return refuse(answers[code] ?? texts.failed(code));
    }
    const { helpdesk, proxy } = result.data;
    if (helpdesk === null) return refuse(texts.badHelpdesk);
    if (state.helpdesk.lock && state.helpdesk.value !== helpdesk) return refuse(texts.otherHelpdesk(helpdesk));
    found({ helpdesk, proxy });
  }

  function refuse(why: string) {
    setProblem(why);
    field.current?.focus();
  }

  // An organisation's or a package's own address needs no typing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each such address.
  useEffect(() => {
    if (locked) void find(locked);
  }, [locked]);

  return (
    <Card title={texts.heading} lead={texts.lead}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void find(typed);
        }}
      >
        {linked && typed === linked && <p className="welcome">{texts.linked}</p>}
        <Field
          ref={field}
          label={texts.label}
          type="url"
          inputMode="url"
          placeholder={texts.example}
          hint={locked ? texts.locked : texts.hint}
          value={typed}
          readOnly={Boolean(locked)}
          problem={problem}
          onChange={({ target }) => {
            setTyped(target.value);
            setProblem(null);
          }}
        />
        <button type="submit" className="primary" aria-disabled={busy} aria-busy={busy}>
          {busy ? texts.busy : texts.go}
        </button>
      </form>
    </Card>
  );
}

interface AccessStepProps {
  addresses: Addresses;
  run: RunChange;
  done(): void;
  /** Null: the address is the organisation's or the package's, and there is no other to choose. */
  change: (() => void) | null;
  texts: OptionsTexts;
}

/** Says what the browser is going to ask and why, then lets it ask. A refusal changes nothing and can be repeated. */
export function AccessStep({ addresses, run, done, change, texts }: AccessStepProps) {
  const { helpdesk, proxy } = addresses;
  const words = texts.access;
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
    <Card title={words.heading} lead={words.lead}>
      <dl className="addresses">
        {(['helpdesk', 'proxy'] as const).map((name) => (
          <div key={name}>
            <dt>{words[name]}</dt>
            <dd>
              <b>{new URL(addresses[name]).host}</b>
              <span className="soft">{words[`${name}Why`]}</span>
            </dd>
          </div>
        ))}
      </dl>
      {change && <p className="soft">{words.careful}</p>}
      <div className="actions">
        <button ref={button} type="button" className="primary" onClick={allow}>
          {words.allow}
        </button>
        {change && (
          <button type="button" onClick={change}>
            {texts.change}
          </button>
        )}
      </div>
      <Notice tone="warn">{refused && words.refused}</Notice>
    </Card>
  );
}
