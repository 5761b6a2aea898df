import CopyPlus from 'lucide-react/icons/copy-plus';
import { type ReactNode, useRef } from 'react';
import { unknownCode } from '../../../../market/rules/liveSymbols.ts';
import type { Stock } from '../../../../market/rules/stock.ts';
import { StockChart } from '../shared/chart/StockChart.tsx';
import { FeedPill } from '../../../../../web/live/FeedPill.tsx';
import { stocks } from '../../../../../web/live/market.ts';
import { useWatch } from '../../../../../web/live/useWatch.ts';
import { useScreenTitle } from '../../../../../web/router/screenTitle.ts';
import { GroupChip } from '../../../../../web/windows/GroupChip.tsx';
import { openAnotherChart } from '../../../../../web/windows/openChart.ts';
import { IconButton } from '../../../../../web/ui/Button.tsx';
import { EmptyState } from '../../../../../web/ui/EmptyState.tsx';
import { Trend } from '../../../../../web/ui/Trend.tsx';
import { useFilterKey } from '../../../../../web/ui/useFilterKey.ts';
import { useWidthQuery } from '../../../../../web/ui/useWidthQuery.ts';
import './ChartPage.css';
import { SymbolForm } from './parts/SymbolForm.tsx';
import { quoteOf, quoteTitle } from './quote.ts';
import { useShownStock } from './useShownStock.ts';

/** A stock's chart that fills the window and follows the stocks that are chosen in other windows of its group. */
export function ChartPage(): ReactNode {
  const { code, noCode, timeframe, choose, setTimeframe } = useShownStock();
  const box = useRef<HTMLInputElement>(null);
  useFilterKey(box);
  const isPhone = useWidthQuery('phone');
  useWatch({ codes: code === null ? [] : [code] });
  const stock = code === null ? null : (stocks.value.get(code) ?? null);
  const title = code === null ? null : quoteTitle(code, stock);
  useScreenTitle(title);
  return (
    <div className="chart-page">
      <header className="chart-head">
        <h1>{code ?? 'Chart'}</h1>
        {stock !== null && <Standing stock={stock} />}
        <FeedPill />
        <span className="chart-space" />
        <SymbolForm box={box} onChoose={choose} />
        {!isPhone && (
          <>
            <GroupChip isChart />
            <IconButton label="Another chart window" onClick={() => openAnotherChart(code, timeframe)}>
              <CopyPlus size={16} aria-hidden />
            </IconButton>
          </>
        )}
      </header>
      {code === null ? (
        <EmptyState detail="Enter a code above, or go to a row in a window of the same group.">
          {noCode === null ? 'No stock chosen yet.' : unknownCode(noCode)}
        </EmptyState>
      ) : (
        <div className="chart-body">
          <StockChart key={code} code={code} stock={stock} tf={timeframe} onTimeframe={setTimeframe} />
        </div>
      )}
    </div>
  );
}

/** The company, and what its stock stands at. */
function Standing({ stock }: { stock: Stock }): ReactNode {
  const { kind, price, change } = quoteOf(stock);
  return (
    <p className="chart-standing">
      <strong>
        {kind && <span className={kind === 'Match' ? 'muted' : 'chart-halt'}>{kind} </span>}
        {price}
      </strong>
      {change && <Trend direction={change.direction}>{change.text}</Trend>}
      <span className="chart-company muted" title={stock.name}>
        {stock.name}
      </span>
    </p>
  );
}
