import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { WelcomePage } from '#welcome/welcome-page.tsx';
import '#options/options.css';

const root = document.querySelector('#root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <WelcomePage />
    </StrictMode>,
  );
}
