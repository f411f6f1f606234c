import './style.css';
import { createRoot } from 'react-dom/client';
import { App } from '#frame/app.tsx';
import { followTheme } from '#frame/theme.ts';

followTheme(document.documentElement);
const place = document.getElementById('app');
if (place) createRoot(place).render(<App />);
