import { mountPage } from '#options/mount-page.tsx';
import { PopupPage } from '#popup/popup-page.tsx';
import '#options/options.css';
import '#popup/popup.css';

mountPage(<PopupPage />);
