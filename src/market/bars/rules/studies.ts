/** Studies that have a pane of their own below the prices. */
export const STUDY_IDS = ['rsi', 'macd'] as const;
export type StudyId = (typeof STUDY_IDS)[number];

export const STUDY_TITLES: Readonly<Record<StudyId, string>> = { rsi: 'RSI 14', macd: 'MACD 12 26 9' };

/** The lines of each study. The histogram is the line minus its signal. */
export const STUDY_LINES = { rsi: ['rsi'], macd: ['macd', 'signal', 'histogram'] } as const;
export type StudyLineId = (typeof STUDY_LINES)[StudyId][number];

export type StudyLine = {
  id: StudyLineId;
  /** One per bar; undefined before `first`. */
  values: readonly number[];
  first: number;
};

const RSI_LENGTH = 14;
const FAST = 12;
const SLOW = 26;
const SIGNAL = 9;
/** The first bars of the line and of its signal. */
const FIRST_LINE = SLOW - 1;
const FIRST_SIGNAL = FIRST_LINE + SIGNAL - 1;
/** After this many bars, unseen earlier ones hardly change a value. */
export const STUDY_SETTLED_AFTER = 150;

/** Wilder's RSI of the closes, by the formula of the column `rsi`. */
function rsiOf(closes: readonly number[]): number[] {
  let [gains, losses] = [0, 0];
  return closes.map((close, bar) => {
    const move = bar === 0 ? 0 : close - (closes[bar - 1] ?? close);
    const [gain, loss] = [Math.max(0, move), Math.max(0, -move)];
    // The first averages are the means of the first moves.
    const keep = bar <= RSI_LENGTH ? 1 : (RSI_LENGTH - 1) / RSI_LENGTH;
    gains = gains * keep + gain / RSI_LENGTH;
    losses = losses * keep + loss / RSI_LENGTH;
    return (100 * gains) / (gains + losses);
  });
}

/** An exponential average from the value at `first` on. */
function emaOf(values: readonly number[], length: number, first = 0): number[] {
  const weight = 2 / (length + 1);
  let average = values[first] ?? Number.NaN;
  return values.map((value, bar) => {
    if (bar > first) average = value * weight + average * (1 - weight);
    return average;
  });
}

/**
 * Computes a study. While older bars can still be loaded, it is shown only where they would hardly change it.
 * @param closes AUD, oldest first
 */
export function studyLines(id: StudyId, closes: readonly number[], hasMore: boolean): StudyLine[] {
  const from = (bar: number) => Math.min(closes.length, hasMore ? Math.max(bar, STUDY_SETTLED_AFTER) : bar);
  if (id === 'rsi') return [{ id: 'rsi', values: rsiOf(closes), first: from(RSI_LENGTH) }];
  const [fast, slow] = [emaOf(closes, FAST), emaOf(closes, SLOW)];
  const macd = fast.map((value, bar) => value - (slow[bar] ?? value));
  const signal = emaOf(macd, SIGNAL, FIRST_LINE);
  const histogram = macd.map((value, bar) => value - (signal[bar] ?? value));
  return [
    { id: 'macd', values: macd, first: from(FIRST_LINE) },
    { id: 'signal', values: signal, first: from(FIRST_SIGNAL) },
    { id: 'histogram', values: histogram, first: from(FIRST_SIGNAL) },
  ];
}
