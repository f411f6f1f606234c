// @vitest-environment happy-dom
import type { OperatorProof } from '@deskside/shared/operator/proof';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { operatorTexts, TextsContext } from '#i18n/texts.ts';
import { ProofCard } from './proof-card.tsx';

const whole = {
  outcome: 'followed',
  ticket: '7',
  hops: [
    { hop: 'inserted', ms: 120 },
    { hop: 'heard', ms: 1_500 },
    { hop: 'decided', ms: 30 },
  ],
  met: { cause: 'webhook', crm: 'matched', team: 'CS 60p', next: 'lan@shop.example' },
  problems: [],
  is_copy_kept: true,
} as const satisfies OperatorProof;

/** The card in a language, whose proxy answers a click with this. */
async function card(language: 'en' | 'vi', data: OperatorProof) {
  const asked = vi.fn(async () => Response.json({ success: true, data, message: 'Done.' }));
  vi.stubGlobal('fetch', asked);
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  root.render(
    <QueryClientProvider client={new QueryClient()}>
      <TextsContext value={operatorTexts(language)}>
        <ProofCard />
      </TextsContext>
    </QueryClientProvider>,
  );
  onTestFinished(() => {
    root.unmount();
    place.remove();
    vi.unstubAllGlobals();
  });
  await vi.waitFor(() => expect(place.querySelector('button')).not.toBeNull());
  const click = () => place.querySelector('button')?.click();
  const said = () => place.querySelector('[role=status]')?.textContent ?? '';
  const says = (text: string) => vi.waitFor(() => expect(said()).toContain(text));
  return { place, asked, click, said, says };
}

test('what a proof sets off stands before the button; nothing is asked before the click', async () => {
  const { place, asked } = await card('en', whole);
  expect(asked).not.toHaveBeenCalled();
  expect(place.textContent).toMatch(/sets off .*Webhooks for tickets.*Deleted Document.*Prove that it works$/);
  const links = [...place.querySelectorAll('a')].map(({ href }) => href);
  expect(links).toEqual([expect.stringContaining('webhook_doctype=HD+Ticket'), expect.stringContaining('/app/notif')]);
});

test('the hops are said with their seconds, and who would be next', async () => {
  const { click, said, says } = await card('en', whole);
  click();
  await says('It works: 1.65 s in all');
  expect(said()).toContain('1.50 sDeskside heard of it: by the webhook');
  expect(said()).toContain('CS 60p; lan@shop.example would be next in turn');
  expect(said()).toContain('the helpdesk keeps a copy');
});

test('what failed is said in Vietnamese, with the proxy’s own sentence', async () => {
  const problem = 'The webhook did not come; the sweep found the ticket.';
  const { place, click, said, says } = await card('vi', { ...whole, problems: [{ code: 'by_sweep', problem }] });
  expect(place.querySelector('button')?.textContent).toBe('Chứng minh rằng hệ thống hoạt động');
  click();
  await says('Hệ thống chưa hoạt động');
  expect(said()).toContain('1,50 giây');
  expect(said()).toContain('Webhook không đến; lần rà soát đã tìm thấy phiếu.');
  expect(place.querySelector('[lang=en]')?.textContent).toBe(problem);
});

test('a proof beside another one is told so, and one that failed says why', async () => {
  const busy = await card('en', { outcome: 'busy' });
  busy.click();
  await busy.says('Another proof is under way');
  const failed = await card('en', { outcome: 'failed', why: 'The helpdesk refused.' });
  failed.click();
  await failed.says('The helpdesk refused.');
});
