import { mountPage } from '#options/mount-page.tsx';
import { WelcomePage } from '#welcome/welcome-page.tsx';
import '#options/options.css';

mountPage(<WelcomePage />);
