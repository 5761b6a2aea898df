import type { ReactNode } from 'react';
import { AVERAGE_IDS, AVERAGES, hasAverages } from '../../../../../../market/bars/rules/averages.ts';
import type { ChartTimeframe } from '../../../../../../market/bars/rules/bars.ts';
import {
  MenuCheck,
  MenuGroup,
  MenuItem,
  MenuLine,
  MenuSheet,
} from '../../../../../../../web/ui/MenuSheet.tsx';
import { AverageLine } from '../averages/AverageLine.tsx';
import { chartOptions, chooseChartOptions, switchAverage } from './chartOptions.ts';
import './ChartOptionsMenu.css';

type ChartOptionsMenuProps = { tf: ChartTimeframe; anchor: Element; onSize(): void; onClose(): void };

/** What is drawn on the charts of stocks, and how much of the day. Import it lazily: it brings Base UI along. */
export function ChartOptionsMenu({ tf, anchor, onSize, onClose }: ChartOptionsMenuProps): ReactNode {
  const { averages, isWholeDay } = chartOptions.value;
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
        <p className="chart-options-word">Months have no moving averages.</p>
      )}
      {tf === '1' && (
        <>
          <MenuLine />
          <MenuCheck checked={isWholeDay} onChange={(checked) => chooseChartOptions({ isWholeDay: checked })}>
            <span>Whole day’s width</span>
          </MenuCheck>
        </>
      )}
      <MenuLine />
      <MenuItem onChoose={onSize}>Position size…</MenuItem>
    </MenuSheet>
  );
}
