import BellPlusIcon from 'lucide-react/icons/bell-plus';
import ChartIcon from 'lucide-react/icons/square-arrow-out-up-right';
import EyeIcon from 'lucide-react/icons/eye';
import MegaphoneIcon from 'lucide-react/icons/megaphone';
import XIcon from 'lucide-react/icons/x';
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  memo,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Stock } from '#market/rules/stock.ts';
import { addToWatchlist } from '#subjects/alerts/web/shared/watchlists.ts';
import { meta, stocks } from '#web/live/market.ts';
import { useWatch } from '#web/live/useWatch.tsx';
import { useLasting } from '#web/live/useStreamFailure.ts';
import { route } from '#web/router/router.ts';
import { RetryBoundary } from '#web/shared/RetryBoundary.tsx';
import { createFollowing } from '#web/windows/following.ts';
import { openChart } from '#web/windows/openChart.ts';
import { isPopup } from '#web/windows/popup.ts';
import {
  closeForm,
  closePane,
  emptyPane,
  focusRow,
  paneForm,
  PANE_WIDTH,
  paneChoices,
  showStock,
  showWidth,
  storeWidth,
} from '#web/windows/stockPane.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { rowOf } from '#ui/table/rowFocus.ts';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { AlertPart, type CallLines, CallPart } from './pane/forms.tsx';
import { OwnAlerts } from './pane/OwnAlerts.tsx';
import { StockCalls } from './pane/StockCalls.tsx';
import { chooseTimeframe, chosenTimeframe, prefetchChart, StockChart } from './shared/chart/StockChart.tsx';
import { AuctionPanel, hasAuction, NewsRow } from './shared/RowPanel.tsx';
import { StockQuote } from './shared/StockQuote.tsx';
import './stock.css';

/** Height of the chart and of its placeholder, px. */
const CHART_HEIGHT = 300;

/** The code to show: the first one, or the last of those that follow quickly, as while a key is held. */
function useSettled(code: string): string {
  const [settled, settle] = useState(code);
  const [following] = useState(() => createFollowing(settle));
  // Before the row is painted, because another frame would delay the pane.
  useLayoutEffect(() => following.take(code), [following, code]);
  useEffect(() => following.stop, [following]);
  return settled;
}

/** The selected stock: docked at the right of a wide screen, otherwise in a sheet. */
export function StockPane({ code: selected }: { code: string }): ReactNode {
  const isDocked = useWidthQuery('dock');
  const code = useSettled(selected);
  // The pane does not render while only the selection differs.
  return useMemo(() => (isDocked ? <Docked code={code} /> : <Sheet code={code} />), [isDocked, code]);
}

function Sheet({ code }: { code: string }): ReactNode {
  const path = route.value?.path;
  // Another screen closes the sheet.
  useEffect(() => emptyPane, [path]);
  return (
    <DialogSheet open title={code} place="side" width="wide" onClose={closePane}>
      <div className="stock-pane stack">
        <Content code={code} />
      </div>
    </DialogSheet>
  );
}

/** The stocks of the two rows above and below, which keys reach next, sometimes before a request has returned. */
function neighboursOf(code: string): string[] {
  const index = Number(rowOf(document.body, code)?.getAttribute('aria-rowindex'));
  return [index + 1, index - 1, index + 2, index - 2].flatMap((one) => {
    const id = document.querySelector(`tr[data-id][aria-rowindex="${one}"]`)?.getAttribute('data-id');
    return id?.split(' ')[0] ?? [];
  });
}

/** Delay after which a user who has stopped at a stock probably goes on from there, ms. */
const PREFETCH_AFTER_MS = 300;

function Docked({ code }: { code: string }): ReactNode {
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => neighboursOf(code).forEach(prefetchChart), PREFETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [code]);
  useEscape(pane);
  const { width } = paneChoices.value;
  return (
    <aside
      ref={pane}
      className="stock-pane is-docked"
      style={{ width }}
      aria-label="Selected stock"
      tabIndex={-1}
    >
      <WidthHandle width={width} />
      <div className="stock-pane-body stack">
        <Content code={code} onClose={closePane} />
      </div>
    </aside>
  );
}

/** Where Escape closes the pane: on the page itself, in a closed row, and in the pane. */
function closesFrom(target: EventTarget | null, pane: HTMLElement | null): boolean {
  if (!(target instanceof Element) || document.querySelector('[role=dialog], [role=menu]')) return false;
  if (target === document.body || pane?.contains(target) === true) return true;
  return target.matches('tr[data-id]') && target.querySelector('.expander[aria-expanded=true]') === null;
}

/** Escape closes the pane before the table's own Escape leaves the row. */
function useEscape(pane: { current: HTMLElement | null }): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      if (!closesFrom(event.target, pane.current)) return;
      const { target } = event;
      const hasForm = paneForm.peek() !== null;
      // An open form closes before the pane. Its fields handle Escape, and the table must not discard what was typed.
      const isOutsideForm =
        target instanceof Element && pane.current?.contains(target) && !target.closest('form');
      if (hasForm && !isOutsideForm) return;
      event.preventDefault();
      event.stopPropagation();
      if (hasForm) {
        closeForm();
        return focusRow();
      }
      const isInside = pane.current?.contains(document.activeElement) ?? false;
      closePane();
      if (isInside) focusRow();
    };
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, [pane]);
}

const WIDTH_STEP = 20;

/** The pane's left edge, which the pointer drags and the arrow keys move. */
function WidthHandle({ width }: { width: number }): ReactNode {
  const start = useRef<{ x: number; width: number } | null>(null);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    start.current = { x: event.clientX, width };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (start.current) showWidth(start.current.width + start.current.x - clientX);
  };
  const onEnd = () => {
    if (start.current) storeWidth();
    start.current = null;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: WIDTH_STEP, ArrowRight: -WIDTH_STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    showWidth(width + by);
    storeWidth();
  };
  return (
    <div
      className="stock-pane-handle"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the pane"
      aria-valuenow={width}
      aria-valuemin={PANE_WIDTH.min}
      aria-valuemax={PANE_WIDTH.max}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onEnd}
      onPointerCancel={onEnd}
      onKeyDown={onKeyDown}
    />
  );
}

/** @param onClose for the docked pane; a sheet has its own cross and title */
function Content({ code, onClose }: { code: string; onClose?: () => void }): ReactNode {
  const hasStocks = useWatch({ codes: [code] });
  const isComplete = useLasting(hasStocks);
  const stock = stocks.value.get(code) ?? null;
  // Rendered after the chart. Hidden while it is the previous stock's, which must not be under this one's name.
  const lower = useDeferredValue(code);
  const form = paneForm.value;
  const [lines, setLines] = useState<CallLines | null>(null);
  return (
    <>
      <div className="stock-pane-head row">
        {onClose && <h2>{code}</h2>}
        {stock !== null && <StockQuote stock={stock} />}
        {onClose && (
          <IconButton className="push" label="Close the pane (Esc)" onClick={onClose}>
            <XIcon size={16} aria-hidden />
          </IconButton>
        )}
      </div>
      <Tools code={code} stock={stock} />
      {form === 'alert' && stock !== null && <AlertPart key={code} stock={stock} />}
      {stock === null && isComplete && <p className="muted">{code} is not in the live list.</p>}
      <RetryBoundary sentence={`The chart of ${code} could not be shown.`}>
        <StockChart
          code={code}
          stock={stock}
          tf={chosenTimeframe.value}
          onTimeframe={chooseTimeframe}
          height={CHART_HEIGHT}
          {...lines}
        />
      </RetryBoundary>
      {form === 'call' && <CallPart key={code} code={code} onLines={setLines} />}
      <div className="stack" style={{ visibility: lower === code ? undefined : 'hidden' }}>
        <MemoLower code={lower} />
      </div>
    </>
  );
}

/** What is below the chart. */
function Lower({ code }: { code: string }): ReactNode {
  const stock = stocks.value.get(code) ?? null;
  const today = meta.value?.dateToday ?? '';
  return (
    <>
      {stock !== null && hasAuction(stock) && (
        <RetryBoundary sentence={`The auction of ${code} could not be shown.`}>
          <AuctionPanel row={stock} />
        </RetryBoundary>
      )}
      {stock !== null && (
        <RetryBoundary sentence={`The news of ${code} could not be shown.`}>
          <NewsRow key={code} row={stock} today={today} hasAlertButton={false} hasHeading={false} />
        </RetryBoundary>
      )}
      <OwnAlerts code={code} />
      <StockCalls code={code} />
    </>
  );
}

const MemoLower = memo(Lower);

/** What can be done with the stock; each button names its key. */
function Tools({ code, stock }: { code: string; stock: Stock | null }): ReactNode {
  return (
    <div className="row gap-1">
      <Button disabled={stock === null} onClick={() => showStock(code, 'alert')} title="Alert me (a)">
        <BellPlusIcon size={14} aria-hidden />
        Alert me
      </Button>
      {!isPopup && (
        <Button onClick={() => showStock(code, 'call')} title="Add Call (n)">
          <MegaphoneIcon size={14} aria-hidden />
          Add Call
        </Button>
      )}
      <IconButton label="Add to your watchlist (w)" onClick={() => void addToWatchlist(code)}>
        <EyeIcon size={16} aria-hidden />
      </IconButton>
      <IconButton label="Open the chart in a window (c)" onClick={() => void openChart(code)}>
        <ChartIcon size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
