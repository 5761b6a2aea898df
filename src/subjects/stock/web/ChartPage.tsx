import CopyPlus from 'lucide-react/icons/copy-plus';
import {
  type ReactNode,
  useRef,
  type FormEvent,
  type RefObject,
  useState,
  useCallback,
  useEffect,
} from 'react';
import { unknownCode, checkLiveSymbol, normaliseSymbol } from '#market/rules/liveSymbols.ts';
import type { Stock } from '#market/rules/stock.ts';
import { ChartPanes, PaneCount, usePanes } from './chartPanes.tsx';
import { FeedPill } from '#web/live/FeedPill.tsx';
import { stocks } from '#web/live/market.ts';
import { useWatch, WholeMarketWatch } from '#web/live/useWatch.tsx';
import { replaceAddress, routeQuery, useScreenTitle } from '#web/router/navigate.ts';
import { GroupChip } from '#web/windows/GroupChip.tsx';
import { openAnotherChart, chartRoute, type PastTrade } from '#web/windows/openChart.ts';
import { PastChart } from './PastChart.tsx';
import { readNumber } from '#lib/read.ts';
import { IconButton } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import type { Direction } from '#ui/Trend.tsx';
import { useFilterKey } from '#ui/useFilterKey.ts';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import './stock.css';
import { haltOf } from '#market/rules/stockState.ts';
import { quoteOf, StockQuote } from './shared/StockQuote.tsx';
import { companyName, isLiveSymbol, searchLiveSymbols, SymbolBox } from './shared/SymbolBox.tsx';
import { CHART_TIMEFRAMES, type ChartTimeframe } from '#market/bars/rules/bars.ts';
import { createFollowing } from '#web/windows/following.ts';
import { chooseStock, followGroup } from '#web/windows/linkedWindows.ts';
import { readCode } from '#web/windows/linkGroups.ts';

const readTimeframe = (query: URLSearchParams): ChartTimeframe =>
  CHART_TIMEFRAMES.find((one) => one === query.get('tf')) ?? '1';

const MAX_SHOWN = 12;

/** The past trade in the address; null for the live chart. */
function readPast(query: URLSearchParams): PastTrade | null {
  const at = readNumber(query.get('at'));
  return at === null ? null : { at, until: readNumber(query.get('until')) };
}

type Asked = Pick<ShownStock, 'code' | 'noCode'>;

/** @param before stays if the address names no stock */
function readAsked(query: URLSearchParams, before: Asked): Asked {
  const text = normaliseSymbol(query.get('symbol') ?? '');
  if (text === '') return before;
  const code = readCode(text);
  if (code !== null) return { code, noCode: null };
  return { code: null, noCode: text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text };
}

const NOTHING: Asked = { code: null, noCode: null };

type ShownStock = {
  /** An ASX code, which need not be listed; null if none was chosen yet. */
  code: string | null;
  /** Text in the address that is not a code, shortened; null if there is a code or nothing. */
  noCode: string | null;
  timeframe: ChartTimeframe;
  /** The past trade whose day is shown instead of the live chart. */
  past: PastTrade | null;
  showLive(): void;
  /** Chooses a stock, which the other windows of the group then show too. */
  choose(code: string): void;
  setTimeframe(timeframe: ChartTimeframe): void;
};

/**
 * The charted stock: initially from the address, then chosen here or in the group. The address keeps it across reloads.
 */
function useShownStock(): ShownStock {
  const query = routeQuery.value;
  const [asked, setAsked] = useState(query);
  const [{ code, noCode }, setShown] = useState(() => readAsked(query, NOTHING));
  const [timeframe, setTimeframe] = useState(() => readTimeframe(query));
  const [past, setPast] = useState(() => readPast(query));
  if (asked !== query) {
    setAsked(query);
    setShown((before) => readAsked(query, before));
    setPast(readPast(query));
    setTimeframe(query.has('tf') ? readTimeframe(query) : timeframe);
  }
  const isAsked = code !== null || noCode !== null;
  const [startsWithStock] = useState(isAsked);
  const showLive = useCallback(() => setPast(null), []);
  const show = useCallback((next: string) => {
    setShown({ code: next, noCode: null });
    setPast(null);
  }, []);
  useEffect(() => {
    const following = createFollowing(show);
    const stop = followGroup({ take: following.take, front: () => window.focus() }, startsWithStock);
    return () => {
      stop();
      following.stop();
    };
  }, [startsWithStock, show]);
  useEffect(() => {
    // Text that is not a code stays in the address, so that a reload shows the same.
    if (noCode === null) replaceAddress(`#${chartRoute(code, timeframe, past)}`);
  }, [code, noCode, timeframe, past]);
  const choose = useCallback(
    (next: string) => {
      show(next);
      chooseStock(next);
    },
    [show],
  );
  return { code, noCode, timeframe, past, showLive, choose, setTimeframe };
}

type SymbolFormProps = { box: RefObject<HTMLInputElement | null>; onChoose(code: string): void };

function useTypedSymbol(onChoose: (code: string) => void) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const choose = (typed: string) => {
    const checked = checkLiveSymbol(typed, stocks.peek());
    if (!checked.ok)
      return setProblem(
        stocks.peek().size === 0 ? checked.error.message : 'Unknown code: choose one from the list',
      );
    setProblem(null);
    setText('');
    onChoose(checked.value);
  };
  const type = (typed: string) => {
    setText(typed);
    setProblem(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') choose(text);
  };
  return { text, problem, choose, type, submit };
}

function SymbolForm({ box, onChoose }: SymbolFormProps): ReactNode {
  const [isUsed, setUsed] = useState(false);
  const { text, problem, choose, type, submit } = useTypedSymbol(onChoose);
  return (
    <form
      className="symbol-form cluster gap-0"
      onSubmit={submit}
      onFocus={() => setUsed(true)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setUsed(false);
      }}
    >
      {isUsed && <WholeMarketWatch />}
      <SymbolBox
        label="Symbol"
        placeholder="Code or company"
        inputRef={box}
        value={text}
        search={searchLiveSymbols}
        describe={companyName}
        isKnown={isLiveSymbol}
        isWrong={problem !== null}
        onText={type}
        onPick={choose}
      />
      <button type="submit" className="visually-hidden" tabIndex={-1}>
        Show
      </button>
      <p className="symbol-form-problem small rounded on-raised" role="status">
        {problem}
      </p>
    </form>
  );
}

const ARROWS: Readonly<Record<Direction, string>> = { up: '▲', down: '▼', flat: '' };

/** Title of the window: 'BHP 46.20 ▲1.2%', 'BHP halted 46.20 ▲1.2%'. The arrow replaces the sign. */
export function quoteTitle(code: string, stock: Stock | null): string {
  if (stock === null) return `${code} chart`;
  const { price, change } = quoteOf(stock);
  return [
    code,
    haltOf(stock)?.toLowerCase() ?? null,
    price,
    change && `${ARROWS[change.direction]}${change.text.replace(/^[+−]/, '')}`,
  ]
    .filter((part) => part !== null)
    .join(' ');
}

export function ChartPage(): ReactNode {
  const { code, noCode, timeframe, past, showLive, choose, setTimeframe } = useShownStock();
  const box = useRef<HTMLInputElement>(null);
  useFilterKey(box);
  const isPhone = useWidthQuery('phone');
  const { panes, change } = usePanes();
  useWatch({ codes: code === null ? [] : [code] });
  const stock = code === null ? null : (stocks.value.get(code) ?? null);
  const title = code === null ? null : quoteTitle(code, stock);
  useScreenTitle(title);
  return (
    <div className="chart-page stack gap-2">
      <header className="chart-head row flex-none">
        <h1>{code ?? 'Chart'}</h1>
        {stock !== null && <StockQuote stock={stock} />}
        <FeedPill />
        <span className="push" />
        <SymbolForm box={box} onChoose={choose} />
        {!isPhone && (
          <>
            <PaneCount panes={panes} change={change} />
            <GroupChip isChart />
            <IconButton label="Another chart window" onClick={() => openAnotherChart(code, timeframe)}>
              <CopyPlus size={16} aria-hidden />
            </IconButton>
          </>
        )}
      </header>
      {code === null ? (
        <EmptyState detail="Enter a code above, or select a row in a window of the same group.">
          {noCode === null ? 'No stock selected.' : unknownCode(noCode)}
        </EmptyState>
      ) : past !== null ? (
        <PastChart code={code} past={past} onLive={showLive} />
      ) : (
        <ChartPanes
          code={code}
          stock={stock}
          tf={timeframe}
          onTimeframe={setTimeframe}
          change={change}
          panes={isPhone ? { ...panes, count: 1 } : panes}
        />
      )}
    </div>
  );
}
