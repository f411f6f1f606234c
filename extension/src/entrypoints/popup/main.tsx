import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PopupPage } from '#popup/popup-page.tsx';
import '#options/options.css';
import '#popup/popup.css';

const root = document.querySelector('#root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <PopupPage />
    </StrictMode>,
  );
}
