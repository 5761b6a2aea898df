import { AVERAGE_IDS, type AverageId } from '#market/bars/rules/averages.ts';
import { STUDY_IDS, type StudyId } from '#market/bars/rules/studies.ts';
import { isRecord } from '#lib/json.ts';
import { readBoolean, readChoice, readList } from '#lib/read.ts';
import { createUserChoices } from '#web/shared/userChoices.ts';

type ChartOptions = {
  /** Chosen averages, in the order of `AVERAGE_IDS`. */
  averages: readonly AverageId[];
  /** Chosen studies, in the order of `STUDY_IDS`. */
  studies: readonly StudyId[];
  /** True if minute charts have the width of the whole day from the first minute on. */
  hasWholeDay: boolean;
};

const readAverage = readChoice(AVERAGE_IDS);
const readStudy = readChoice(STUDY_IDS);

function accept(value: unknown): ChartOptions | null {
  if (!isRecord(value)) return null;
  const averages = new Set(readList(value.averages, readAverage));
  const studies = new Set(readList(value.studies, readStudy));
  return {
    averages: AVERAGE_IDS.filter((id) => averages.has(id)),
    studies: STUDY_IDS.filter((id) => studies.has(id)),
    hasWholeDay: readBoolean(value.hasWholeDay) ?? true,
  };
}

export const {
  chosen: chartOptions,
  choose: chooseChartOptions,
  follow: followChartOptions,
} = createUserChoices<ChartOptions>('chartOptions', {
  accept,
  defaults: { averages: [], studies: [], hasWholeDay: true },
  forGuests: true,
});

export function switchAverage(id: AverageId): void {
  const { averages } = chartOptions.peek();
  const isOn = !averages.includes(id);
  chooseChartOptions({ averages: AVERAGE_IDS.filter((one) => (one === id ? isOn : averages.includes(one))) });
}

export function switchStudy(id: StudyId): void {
  const { studies } = chartOptions.peek();
  const isOn = !studies.includes(id);
  chooseChartOptions({ studies: STUDY_IDS.filter((one) => (one === id ? isOn : studies.includes(one))) });
}
