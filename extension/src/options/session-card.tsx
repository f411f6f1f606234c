import { useState } from 'react';
import { ask } from '#messaging/page-protocol.ts';
import { Card, Notice } from './components.tsx';
import type { CardProps } from './use-options.ts';

/** The agent's credential for the proxy: a sign-in to the helpdesk. */
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
            {busy ? words.finish : words.signIn}
          </button>
        )}
        {state.session === 'signed_in' && (
          <button type="button" onClick={() => run(() => ask('options.signOut', {}))}>
            {words.signOut}
          </button>
        )}
      </div>
      <Notice tone="bad">{problem}</Notice>
    </Card>
  );
}
