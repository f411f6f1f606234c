import { useState } from 'react';
import type { OptionsTexts } from '../i18n/options.ts';
import { ask, type OptionsState } from '../messaging/page-protocol.ts';
import { Card, Mark } from './parts.tsx';
import { type TestLine, testLines } from './test-lines.ts';
import type { Options } from './use-options.ts';

/** Asks the proxy for everything that can be wrong, and says it in plain words. */
export function TestCard({ state, run, texts }: { state: OptionsState; run: Options['run']; texts: OptionsTexts }) {
  const words = texts.test;
  const [busy, setBusy] = useState(false);
  const [lines, setLines] = useState<TestLine[]>([]);

  async function test() {
    setBusy(true);
    setLines([]);
    await run(async () => {
      const result = await ask('options.test', {});
      const now = await ask('options.state', {});
      setLines(testLines(result, now, words));
      return now;
    });
    setBusy(false);
  }

  return (
    <Card title={words.heading} lead={words.lead}>
      <button type="button" disabled={busy || !state.proxy.value} aria-busy={busy} onClick={test}>
        {busy ? words.running : words.run}
      </button>
      <div role="status">
        {lines.length > 0 && (
          <ul className="lines">
            {lines.map(({ tone, text, detail }) => (
              <li key={text + detail}>
                <Mark tone={tone} />
                <span>
                  <span className="visually-hidden">{words.states[tone]}: </span>
                  {text} {detail && <span className="soft">{detail}</span>}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
