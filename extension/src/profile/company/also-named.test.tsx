// @vitest-environment happy-dom
import type { OrgId } from '@deskside/shared/orgid';
import type { AlsoNamed as NamedCompany } from '@deskside/shared/profile';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { textsFor } from '#i18n/texts.ts';
import { TextsContext } from '#i18n/texts-context.ts';
import type { UiLanguage } from '#settings/schema.ts';
import { AlsoNamed } from './also-named.tsx';

const other: NamedCompany = {
  org_id: '200000376001' as OrgId,
  source: 'ticket',
  field: 'custom_orgid',
  bitrix_id: '63002',
  company_name: 'Gốm Sứ Làng Mơ',
  url: 'https://crm.example/crm/company/details/63002/',
  trust: { level: 'claimed', evidence: [] },
};

function shown(companies: NamedCompany[], language: UiLanguage = 'en'): HTMLElement {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const container = document.createElement('div');
  const root = createRoot(container);
  act(() =>
    root.render(
      <TextsContext value={textsFor(language)}>
        <AlsoNamed companies={companies} />
      </TextsContext>,
    ),
  );
  return container;
}

test.each(['en', 'vi'] as const)('the other company is named with its id, its place and its trust (%s)', (language) => {
  const t = textsFor(language);
  const container = shown([other], language);
  for (const words of ['Gốm Sứ Làng Mơ', '200000376001', t.trust.tag.claimed, t.fields.namedBy.ticket('Org ID')])
    expect(container.textContent).toContain(words);
  expect(container.querySelector('a')?.href).toBe(other.url);
});

test('one whose trust could not be judged is not called a claim, and an address that is none is no link', () => {
  const container = shown([{ ...other, trust: null, url: 'javascript:alert(1)', company_name: null }]);
  expect(container.textContent).toContain(textsFor('en').trust.tag.unknown);
  expect(container.textContent).toContain(textsFor('en').fields.noName);
  expect(container.querySelector('a')).toBeNull();
});

test('without another company there is nothing', () => expect(shown([]).textContent).toBe(''));
