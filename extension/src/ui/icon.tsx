/** Line icons on a 16 by 16 grid, drawn for Deskside. */
const paths = {
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M6 6h7v7H6zM3 10V3h7',
  call: 'M4 2.5l2 .5.8 2.8-1.3 1.2A8 8 0 0 0 9 10.5l1.2-1.3 2.8.8.5 2c-.2 1-1 1.5-2 1.5-5 0-9-4-9-9 0-1 .5-1.8 1.5-2z',
  mail: 'M2.5 4h11v8.5h-11zM2.5 4.5L8 8.8l5.5-4.3',
  more: 'M3 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M7.5 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M12 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0',
  insert: 'M13 3v7H4M7 7l-3 3 3 3',
  check: 'M3.5 8.5l3 3 6-7',
  external: 'M9 3h4v4M13 3L7.5 8.5M11 9.5V13H3V5h3.5',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.5L13 6M13 3v3h-3',
  alert: 'M8 2.5l6 11H2zM8 7v3M8 11.8v.2',
  search: 'M11.5 11.5L14 14M12 7.5a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0z',
  off: 'M8 2.5v5M4.7 4.7a5 5 0 1 0 6.6 0',
  lock: 'M4 7.5h8V13H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  offline:
    'M2 2l12 12M4.5 9.5a5 5 0 0 1 2.3-1.3M11.5 9.5l-.8-.6M2.5 7a8 8 0 0 1 2.2-1.5M13.5 7A8 8 0 0 0 8 4.8M8 12.5v.1',
  person: 'M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8zM3 13.5c.5-2.4 2.4-4 5-4s4.5 1.6 5 4',
  clock: 'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM8 5v3.3l2 1.2',
  busy: 'M13.5 8A5.5 5.5 0 1 1 8 2.5',
  undo: 'M6 3.5L3 6.5l3 3M3.2 6.5H9a3.8 3.8 0 0 1 0 7.6H6.5',
  chevron: 'M4 6l4 4 4-4',
  shield: 'M8 2l5 1.8v3.7c0 3-2 5.4-5 6.5-3-1.1-5-3.5-5-6.5V3.8z',
} as const;

export type IconName = keyof typeof paths;

/** Decorative: what it means always has to be there in words too. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      className="inline-block shrink-0"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  );
}
