import { AVERAGE_IDS, type AverageId } from '#market/bars/rules/averages.ts';
import { isRecord } from '#lib/json.ts';
import { readBoolean, readChoice, readList } from '#lib/read.ts';
import { createUserChoices } from '#web/shared/userChoices.ts';

type ChartOptions = {
  /** Chosen averages, in the order of `AVERAGE_IDS`. */
  averages: readonly AverageId[];
  /** True if minute charts have the width of the whole day from the first minute on. */
  isWholeDay: boolean;
};

const readAverage = readChoice(AVERAGE_IDS);

function accept(value: unknown): ChartOptions | null {
  if (!isRecord(value)) return null;
  const averages = new Set(readList(value.averages, readAverage));
  return {
    averages: AVERAGE_IDS.filter((id) => averages.has(id)),
    isWholeDay: readBoolean(value.isWholeDay) ?? false,
  };
}

export const {
  chosen: chartOptions,
  choose: chooseChartOptions,
  follow: followChartOptions,
} = createUserChoices<ChartOptions>('chartOptions', {
  accept,
  defaults: { averages: [], isWholeDay: false },
  forGuests: true,
});

export function switchAverage(id: AverageId): void {
  const { averages } = chartOptions.peek();
  const isOn = !averages.includes(id);
  chooseChartOptions({ averages: AVERAGE_IDS.filter((one) => (one === id ? isOn : averages.includes(one))) });
}
