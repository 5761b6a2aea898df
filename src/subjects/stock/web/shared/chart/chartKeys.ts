/** What a key does on a chart; a bar's place among the bars, null to leave them. */
export type ChartAction =
  | { kind: 'bar'; bar: number | null }
  | { kind: 'timeframe'; step: -1 | 1 }
  | { kind: 'zoom'; factor: number };

type Key = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean };

const ZOOM = 1.4;

/**
 * @param bar the one that the crosshair is on; null when it is on none: then the first step goes to the newest
 * @returns null when the key is not the chart's, such as Escape when it is on no bar
 */
export function chartKey(
  { key, ctrlKey, metaKey, altKey }: Key,
  { bar, count }: { bar: number | null; count: number },
): ChartAction | null {
  if (ctrlKey || metaKey || altKey) return null;
  const last = count - 1;
  const to = (place: number): ChartAction => ({
    kind: 'bar',
    bar: count === 0 ? null : Math.min(last, Math.max(0, place)),
  });
  switch (key) {
    case 'ArrowLeft':
      return to((bar ?? count) - 1);
    case 'ArrowRight':
      return to(bar === null ? last : bar + 1);
    case 'Home':
      return to(0);
    case 'End':
      return to(last);
    case 'ArrowUp':
      return { kind: 'timeframe', step: 1 };
    case 'ArrowDown':
      return { kind: 'timeframe', step: -1 };
    case '+':
    case '=':
      return { kind: 'zoom', factor: ZOOM };
    case '-':
      return { kind: 'zoom', factor: 1 / ZOOM };
    case 'Escape':
      return bar === null ? null : { kind: 'bar', bar: null };
    default:
      return null;
  }
}
