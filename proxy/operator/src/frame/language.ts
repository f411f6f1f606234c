import { useState } from 'react';
import type { Language } from '#i18n/texts.ts';

const key = 'deskside.language';

/** The language that this browser was told, else that of the helpdesk's user, else the browser's own. */
export function useLanguage(): {
  language: Language;
  /** As soon as it is known who it is. */
  prefer(code: string | null): void;
  choose(language: Language): void;
} {
  const [chosen, setChosen] = useState(() => known(localStorage.getItem(key)));
  const [preferred, setPreferred] = useState<Language | null>(null);
  return {
    language: chosen ?? preferred ?? known(navigator.language) ?? 'en',
    prefer: (code) => setPreferred(known(code)),
    choose(language) {
      localStorage.setItem(key, language);
      setChosen(language);
    },
  };
}

function known(code: string | null): Language | null {
  const [language] = code?.toLowerCase().split(/[-_]/) ?? [];
  return language === 'vi' || language === 'en' ? language : null;
}
