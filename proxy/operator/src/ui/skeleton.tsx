import { useTexts } from '#i18n/texts.ts';

const widths = ['w-full', 'w-4/5', 'w-3/5', 'w-2/3', 'w-1/2', 'w-5/6'];

/** Stands where something will be, as high as it is likely to be. */
export function Skeleton({ rows = 3 }: { rows?: number }) {
  const { frame } = useTexts();
  return (
    <div role="status" className="flex flex-col gap-2">
      <span className="sr-only">{frame.loading}</span>
      {widths.slice(0, rows).map((width) => (
        <span key={width} aria-hidden="true" className={`bone h-4 ${width}`} />
      ))}
    </div>
  );
}
