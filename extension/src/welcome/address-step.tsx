import { type FormEvent, useEffect, useState } from 'react';
import type { WelcomeTexts } from '#i18n/pages/welcome.ts';
import { ask, type OptionsState } from '#messaging/page-protocol.ts';
import { Card, Field } from '#options/components.tsx';
import { parseAddress } from '#settings/address.ts';
import type { Addresses } from './stage.ts';
import { useFocus } from './use-focus.ts';

interface AddressStepProps {
  state: OptionsState;
  /** An address that came with a link; the person has to confirm it. */
  linked: string;
  found(addresses: Addresses): void;
  texts: WelcomeTexts['address'];
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
    const result = await ask('welcome.find', { proxy: parsed.origin }).catch(() => null);
    setBusy(false);
    if (!result?.ok) return refuse(wording(texts, result?.code ?? 'internal'));
    const { helpdesk, proxy } = result;
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
        onSubmit={(event: FormEvent) => {
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
          problem={problem ?? undefined}
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

function wording({ answers, failed }: WelcomeTexts['address'], code: string): string {
  const known: Partial<Record<string, string>> = answers;
  return known[code] ?? failed(code);
}
