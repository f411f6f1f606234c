import 'uplot/dist/uPlot.min.css';
import { number } from '@deskside/extension/i18n/format';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import UPlot from 'uplot';
import { useTexts } from '#i18n/texts.ts';
import { Table } from './table.tsx';
import { timeOfDay } from './time.ts';

export interface Series {
  label: string;
  /** A colour of the theme, as the name of its property. */
  colour: '--ok' | '--warn' | '--edge' | '--info' | '--bad';
  values: readonly (number | null)[];
}

const height = 160;

/** Between two times below bars, which stand on their hours; in seconds. */
const wholeHours = [1, 2, 3, 4, 6, 12].map((hours) => hours * 3_600);

/**
 * Values over time, as stacked bars or as a line, and the same as a table for whoever cannot see or would rather read it.
 * @param at ISO instants, one for each value
 */
export function Chart({
  title,
  isTitled = false,
  at,
  series,
  kind,
}: {
  title: string;
  /** It stands right below a heading that says the same. */
  isTitled?: boolean;
  at: readonly string[];
  series: readonly Series[];
  kind: 'bars' | 'line';
}) {
  const { language, today } = useTexts();
  const place = useRef<HTMLDivElement>(null);
  const theme = useTheme();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme's colours are read from the page.
  useEffect(() => {
    const node = place.current;
    if (!node) return;
    const chart = new UPlot(optionsFor(node, series, kind), dataOf(at, series, kind), node);
    const follow = new ResizeObserver(() => chart.setSize({ width: node.clientWidth, height }));
    follow.observe(node);
    return () => {
      follow.disconnect();
      chart.destroy();
    };
  }, [at, series, kind, theme]);

  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <figcaption className={isTitled ? 'sr-only' : 'text-xs font-semibold text-ink-2'}>{title}</figcaption>
      {series.length > 1 && (
        <ul aria-hidden="true" className="flex flex-wrap gap-x-3 text-xs text-ink-2">
          {series.map(({ label, colour }) => (
            <li key={label} className="flex items-center gap-1">
              <span className="size-2.5 rounded-sm" style={{ background: `var(${colour})` }} />
              {label}
            </li>
          ))}
        </ul>
      )}
      <div ref={place} aria-hidden="true" className="min-w-0 overflow-hidden" style={{ height }} />
      <details>
        <summary className="w-fit rounded-sm py-1 text-xs text-ink-2 hover:text-ink">{today.asTable}</summary>
        <Table
          label={title}
          columns={[{ title: today.time }, ...series.map(({ label }) => ({ title: label, isNumber: true }))]}
          rows={at.map((instant, nth) => ({
            key: instant,
            cells: [
              timeOfDay(instant),
              ...series.map(({ values }) => {
                const value = values[nth] ?? null;
                return value === null ? '–' : number(language, value);
              }),
            ],
          }))}
        />
      </details>
    </figure>
  );
}

function dataOf(at: readonly string[], series: readonly Series[], kind: 'bars' | 'line'): UPlot.AlignedData {
  const times = at.map((instant) => Date.parse(instant) / 1_000);
  if (kind === 'line') return [times, ...series.map(({ values }) => [...values])];
  // The highest stack is drawn first, and each lower one over it.
  const stacks = series.map((_, last) =>
    times.map((_, nth) => series.slice(0, last + 1).reduce((sum, { values }) => sum + (values[nth] ?? 0), 0)),
  );
  return [times, ...stacks.toReversed()];
}

function optionsFor(node: HTMLElement, series: readonly Series[], kind: 'bars' | 'line'): UPlot.Options {
  const style = getComputedStyle(node);
  // A canvas takes no `light-dark()`: the browser says what it comes to.
  const colour = (name: string) => {
    node.style.color = `var(${name})`;
    return style.color;
  };
  const axis = {
    stroke: colour('--ink-3'),
    font: `11px ${style.fontFamily}`,
    ticks: { show: false },
    grid: { stroke: colour('--line'), width: 1 },
  };
  const drawn = kind === 'bars' ? series.toReversed() : series;
  return {
    width: node.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    // The last time of the axis may stand at its end, and is not cut off there.
    padding: [8, 16, 0, 0],
    scales: {
      // A bar stands on its hour, so the last one needs room beside it.
      x: { range: (_, min, max) => (kind === 'bars' ? [min - 1_800, max + 1_800] : [min, max]) },
      y: { range: (_, _min, max) => [0, Math.max(max, kind === 'bars' ? 4 : 100)] },
    },
    axes: [
      {
        ...axis,
        ...(kind === 'bars' && { incrs: wholeHours }),
        size: 26,
        grid: { show: false },
        values: (_, ticks) => ticks.map((tick) => timeOfDay(tick * 1_000)),
      },
      { ...axis, size: 40, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] },
    ],
    series: [
      {},
      ...drawn.map(({ colour: name }) => ({
        stroke: colour(name),
        ...(kind === 'bars'
          ? { fill: colour(name), width: 0, paths: UPlot.paths.bars?.({ size: [0.7, 28] }), points: { show: false } }
          : { width: 2, spanGaps: true, points: { show: true, size: 5, fill: colour(name) } }),
      })),
    ],
  };
}

function useTheme(): string {
  return useSyncExternalStore(
    (notify) => {
      const dark = matchMedia('(prefers-color-scheme: dark)');
      // After the page itself has changed.
      const later = () => setTimeout(notify);
      dark.addEventListener('change', later);
      return () => dark.removeEventListener('change', later);
    },
    () => document.documentElement.dataset.theme ?? '',
  );
}
