import { Icon, type IconName } from '#ui/icon.tsx';

interface IconLinkProps {
  /** Checked by `safeHttpUrl`, `mailtoUrl` or `telUrl`. */
  href: string;
  icon: IconName;
  label: string;
}

/** An icon that leads elsewhere, without a referrer; `label` is its accessible name and tooltip. */
export function IconLink({ href, icon, label }: IconLinkProps) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" aria-label={label} title={label} className="icon-button">
      <Icon name={icon} />
    </a>
  );
}
