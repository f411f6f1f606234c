import { mountPage } from '#options/mount-page.tsx';
import { OptionsPage } from '#options/options-page.tsx';
import '#options/options.css';

mountPage(<OptionsPage />);
