import { useState } from 'react';
import type { OptionsTexts } from '#i18n/pages/options.ts';
import { ask } from '#messaging/page-protocol.ts';
import { Card, StatusIcon } from './components.tsx';
import { type TestLine, testLines } from './test-lines.ts';
import type { Options } from './use-options.ts';

/** Tests the connection to the proxy and explains what is wrong. */
export function TestCard({ run, texts }: { run: Options['run']; texts: OptionsTexts }) {
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
      <button type="button" disabled={busy} aria-busy={busy} onClick={test}>
        {busy ? words.running : words.run}
      </button>
      <div role="status">
        {lines.length > 0 && (
          <ul className="lines">
            {lines.map(({ tone, text, detail }) => (
              <li key={text + detail}>
                <StatusIcon tone={tone} />
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
