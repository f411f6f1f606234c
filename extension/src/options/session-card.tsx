import { type FormEvent, useState } from 'react';
import { ask } from '#messaging/page-protocol.ts';
import { ApiKey } from '#settings/schema.ts';
import { Card, Field, Notice } from './components.tsx';
import type { CardProps } from './use-options.ts';

/** The agent's credential for the proxy: sign-in to the helpdesk, or an API key. */
export function SessionCard({ state, run, texts }: CardProps) {
  const words = texts.session;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function signIn() {
    setBusy(true);
    setProblem(null);
    await run(async () => {
      const { problem } = await ask('options.signIn', {});
      if (problem === 'not_configured') setProblem(words.notConfigured);
      else if (problem === 'signed_out') setProblem(words.refused);
      else if (problem) setProblem(words.failed);
      return ask('options.state', {});
    });
    setBusy(false);
  }

  return (
    <Card title={words.heading}>
      <div className="row">
        <p>{words[state.session]}</p>
        {state.session === 'none' && (
          <button type="button" className="primary" disabled={busy} aria-busy={busy} onClick={signIn}>
            {words.signIn}
          </button>
        )}
        {state.session === 'signed_in' && (
          <button type="button" onClick={() => run(() => ask('options.signOut', {}))}>
            {words.signOut}
          </button>
        )}
      </div>
      <Notice tone="bad">{problem}</Notice>
      <ApiKeyForm state={state} run={run} texts={texts} />
    </Card>
  );
}

function ApiKeyForm({ state, run, texts }: CardProps) {
  const words = texts.session;
  const [key, setKey] = useState('');
  const [tried, setTried] = useState(false);
  const parsed = ApiKey.safeParse(key);

  async function save(event: FormEvent) {
    event.preventDefault();
    setTried(!parsed.success);
    if (!parsed.success) return;
    await run(() => ask('options.saveApiKey', { key: parsed.data }));
    setKey('');
  }

  if (state.session === 'api_key') {
    return (
      <button type="button" onClick={() => run(() => ask('options.saveApiKey', { key: null }))}>
        {words.keyRemove}
      </button>
    );
  }
  return (
    <details>
      <summary>{words.keySummary}</summary>
      <form noValidate onSubmit={save}>
        <p className="soft">{words.keyLead}</p>
        <Field
          label={words.key}
          type="password"
          value={key}
          hint={words.keyHint}
          problem={tried && !parsed.success ? words.keyProblem : undefined}
          onChange={(event) => setKey(event.target.value)}
        />
        <button type="submit">{words.keySave}</button>
      </form>
    </details>
  );
}
