import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { createQueryClient } from '#api/query-client.ts';
import { operatorTexts, TextsContext } from '#i18n/texts.ts';
import { Broken } from './broken.tsx';
import { useLanguage } from './language.ts';
import { Session } from './session.tsx';

/** The operator page. */
export function App() {
  const [client] = useState(createQueryClient);
  const { language, prefer, choose } = useLanguage();
  const texts = operatorTexts(language);
  document.documentElement.lang = language;
  return (
    <TextsContext value={texts}>
      <QueryClientProvider client={client}>
        <ErrorBoundary FallbackComponent={Broken}>
          <Session prefer={prefer} choose={choose} />
        </ErrorBoundary>
      </QueryClientProvider>
    </TextsContext>
  );
}
