import type { ReactNode } from 'react';
import { AVERAGE_IDS, AVERAGES, hasAverages, averageAt } from '#market/bars/rules/averages.ts';
import type { ChartTimeframe } from '#market/bars/rules/bars.ts';
import { MenuCheck, MenuGroup, MenuItem, MenuLine, MenuSheet } from '#ui/MenuSheet.tsx';
import { type ChartData, knownFigures } from '#market/bars/rules/chart.ts';
import { copyTable, saveTable } from '#web/shared/export/ExportMenu.tsx';
import { AverageLine, averageTitle, linesOf } from './chartTexts.tsx';
import { STUDY_IDS, STUDY_TITLES } from '#market/bars/rules/studies.ts';
import { chartOptions, chooseChartOptions, switchAverage, switchStudy } from './chartOptions.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import type { DelimitedTable } from '#texts/csv.ts';
import { isoInSydney } from '#web/shared/export/isoInSydney.ts';
import { isDated } from './chartSlots.ts';

/**
 * The loaded bars with their averages as a table, oldest first. Prices are AUD. Times are ISO 8601 in Sydney time, or
 * dates for bars of a day or longer.
 */
function chartTable(data: ChartData): DelimitedTable {
  const { bars, tf } = data;
  const lines = linesOf(data);
  return {
    headings: ['Time', 'Open', 'High', 'Low', 'Close', 'Volume', ...lines.map(averageTitle)],
    rows: bars.time.map((time, place) => {
      const { open, high, low, close, volume } = knownFigures(data, place);
      return [
        isDated(tf) ? sydneyDate(time) : isoInSydney(time),
        ...[open, high, low, close, volume].map((figure) => figure ?? null),
        ...lines.map((line) => averageAt(line, place)),
      ];
    }),
  };
}

type ChartOptionsMenuProps = {
  tf: ChartTimeframe;
  exported: { label: string; data: ChartData } | null;
  anchor: Element;
  /** Adds a level at the last price; null for guests and without bars. */
  onAddLevel: (() => void) | null;
  onSize(): void;
  onClose(): void;
};

function ExportBars({ label, data }: NonNullable<ChartOptionsMenuProps['exported']>): ReactNode {
  return (
    <>
      <MenuLine />
      <MenuItem onChoose={() => void copyTable(chartTable(data))}>Copy bars for a spreadsheet</MenuItem>
      <MenuItem onChoose={() => saveTable(chartTable(data), label)}>Save bars as CSV</MenuItem>
    </>
  );
}

export function ChartOptionsMenu({
  tf,
  exported,
  anchor,
  onAddLevel,
  onSize,
  onClose,
}: ChartOptionsMenuProps): ReactNode {
  const { averages, studies, hasWholeDay } = chartOptions.value;
  return (
    <MenuSheet label="Chart options" anchor={anchor} onClose={onClose}>
      {hasAverages(tf) ? (
        <MenuGroup label="Moving averages">
          {AVERAGE_IDS.map((id) => (
            <MenuCheck key={id} checked={averages.includes(id)} onChange={() => switchAverage(id)}>
              <span>{AVERAGES[id].title}</span>
              <AverageLine id={id} />
            </MenuCheck>
          ))}
        </MenuGroup>
      ) : (
        <p className="menu-sheet-label">Months have no moving averages.</p>
      )}
      <MenuGroup label="Below the prices">
        {STUDY_IDS.map((id) => (
          <MenuCheck key={id} checked={studies.includes(id)} onChange={() => switchStudy(id)}>
            {STUDY_TITLES[id]}
          </MenuCheck>
        ))}
      </MenuGroup>
      {tf === '1' && (
        <>
          <MenuLine />
          <MenuCheck
            checked={hasWholeDay}
            onChange={(checked) => chooseChartOptions({ hasWholeDay: checked })}
          >
            <span>Whole day’s width</span>
          </MenuCheck>
        </>
      )}
      <MenuLine />
      {onAddLevel && <MenuItem onChoose={onAddLevel}>Add a level (h)</MenuItem>}
      <MenuItem onChoose={onSize}>Position size…</MenuItem>
      {exported && <ExportBars {...exported} />}
    </MenuSheet>
  );
}
