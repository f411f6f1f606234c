/** What is to be reached: a bound on our own figure, or on how many times the baseline it is. */
interface Goal {
  is: 'at most' | 'at least';
  value: number;
  of: 'ours' | 'ratio';
}

/** One line of the table. Figures are those of the rounds, in their order: the nth of ours and of the baseline are a pair. */
export interface Row {
  measure: string;
  /** As it stands behind a figure: `ms`, `µs`, `MB`, `/s`. Empty for a plain number. */
  unit: string;
  ours: readonly number[];
  /** `missing` says why there are no figures, such as a program that is not installed. */
  baseline?: { name: string; figures: readonly number[] } | { name: string; missing: string };
  goal?: Goal;
}

/** Median and the quartiles around it, by interpolation. */
export interface Spread {
  low: number;
  median: number;
  high: number;
}

export function spreadOf(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const [below = Number.NaN, above = Number.NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return below + (above - below) * (place - Math.floor(place));
  };
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}

/** How many times the baseline ours is, round by round: what slows a round down slows both. Null without a baseline. */
export function ratiosOf({ ours, baseline }: Row): number[] | null {
  if (baseline === undefined || 'missing' in baseline) return null;
  return ours.map((figure, round) => figure / (baseline.figures[round] ?? Number.NaN));
}

/** `unclear`: the goal lies within the spread of the rounds, so this run does not tell. Null where nothing is to be judged. */
export type Verdict = 'met' | 'not met' | 'unclear';

export function judge(row: Row): Verdict | null {
  const { goal } = row;
  const figures = goal?.of === 'ratio' ? ratiosOf(row) : row.ours;
  if (goal === undefined || figures === null) return null;
  const { low, high } = spreadOf(figures);
  const holds = (figure: number) => (goal.is === 'at most' ? figure <= goal.value : figure >= goal.value);
  if (holds(low) && holds(high)) return 'met';
  return holds(low) || holds(high) ? 'unclear' : 'not met';
}
