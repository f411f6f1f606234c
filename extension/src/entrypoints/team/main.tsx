import { mountPage } from '#pages/components.tsx';
import { TeamPage } from '#team/team-page.tsx';
import '#team/team.css';

mountPage(<TeamPage />);
