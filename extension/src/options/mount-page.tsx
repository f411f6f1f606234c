import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

/** Puts one of the extension's own pages into its document. */
export function mountPage(page: ReactNode): void {
  const root = document.querySelector('#root');
  if (root) createRoot(root).render(<StrictMode>{page}</StrictMode>);
}
