import { mountPage } from '#options/mount-page.tsx';
import { TeamPage } from '#team/team-page.tsx';
import '#team/team.css';

mountPage(<TeamPage />);
