import { mountPage } from '#pages/components.tsx';
import { OptionsPage } from '#pages/options-page.tsx';
import '#pages/options.css';

mountPage(<OptionsPage />);
