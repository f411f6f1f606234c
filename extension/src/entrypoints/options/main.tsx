import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { OptionsPage } from '#options/options-page.tsx';
import '#options/options.css';

const root = document.querySelector('#root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <OptionsPage />
    </StrictMode>,
  );
}
