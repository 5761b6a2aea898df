import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type AuctionColumns, auctionIndexAt, auctionPointAt } from '#market/auctions/rules/auction.ts';
import type { TimeSpan } from '#market/bars/rules/bars.ts';
import { trendClass } from '#ui/Trend.tsx';
import { useElementWidth } from '#ui/table/useElementWidth.ts';
import { preferences, shownTheme } from '#web/shared/preferences.ts';
import { planAuction, shownPart } from './auctionPlan.ts';
import { type AuctionValues, auctionSentence, auctionValues } from './auctionTexts.ts';
import { drawAuction, readLooks } from './drawAuction.ts';

type Key = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean };

/**
 * Where a key moves the crosshair to: a change's place, null to leave them.
 * @param at the one that it is on; null when it is on none: then the first step goes to the newest
 * @returns null when the key is not the drawing's, such as Escape when the crosshair is on nothing
 */
function auctionKey(
  { key, ctrlKey, metaKey, altKey }: Key,
  { at, count }: { at: number | null; count: number },
): { to: number | null } | null {
  if (ctrlKey || metaKey || altKey) return null;
  const last = count - 1;
  const to = (place: number) => ({ to: count === 0 ? null : Math.min(last, Math.max(0, place)) });
  switch (key) {
    case 'ArrowLeft':
      return to(at === null ? last : at - 1);
    case 'ArrowRight':
      return to(at === null ? last : at + 1);
    case 'Home':
      return to(0);
    case 'End':
      return to(last);
    case 'Escape':
      return at === null ? null : { to: null };
    default:
      return null;
  }
}

const HEIGHT = 176;

export type AuctionDrawingProps = {
  code: string;
  columns: AuctionColumns;
  span: TimeSpan;
  /** Until when the last change holds, epoch ms. */
  until: number;
  /** Previous close, AUD; null when it is not known. */
  close: number | null;
};

/** The theme and the palette as a text: with another one the drawing has other colours. */
const looksKey = (): string => `${shownTheme.value} ${preferences.value.directions}`;

/**
 * An auction on a canvas: the match price as a line of steps over the match volume, and below it the surplus as bars on the
 * side of those who are left over. Left and right read one change after the other.
 */
export function AuctionDrawing(props: AuctionDrawingProps): ReactNode {
  const { host, canvas, width, looks, count, pointed, values, pointAt, pointTo } = useAuctionCanvas(props);
  const help = useId();
  const index = pointed ?? count - 1;
  const move = (event: PointerEvent<HTMLDivElement>): void =>
    pointAt(event.clientX - event.currentTarget.getBoundingClientRect().left);
  return (
    <>
      <Legend values={values} />
      <div
        ref={host}
        className="auction-drawing"
        data-looks={looks}
        role="slider"
        tabIndex={0}
        aria-label={`Opening auction of ${props.code}: changes`}
        aria-describedby={help}
        aria-valuemin={1}
        aria-valuemax={Math.max(1, count)}
        aria-valuenow={Math.max(1, index + 1)}
        aria-valuetext={values === null ? 'No changes' : auctionSentence(values)}
        onKeyDown={(event) => takeKey(event, { at: pointed, count }, pointTo)}
        onBlur={() => pointTo(null)}
        onPointerMove={move}
        onPointerDown={move}
        onPointerLeave={() => pointTo(null)}
      >
        <canvas ref={canvas} aria-hidden="true" style={{ width, height: HEIGHT }} />
      </div>
      <p id={help} className="visually-hidden">
        Left and right arrows move by a change.
      </p>
    </>
  );
}

/** Moves the crosshair by a key of the drawing; any other is left to the page. */
function takeKey(
  event: KeyboardEvent,
  place: { at: number | null; count: number },
  pointTo: (index: number | null) => void,
): void {
  const action = auctionKey(event, place);
  if (action === null) return;
  event.preventDefault();
  event.stopPropagation();
  pointTo(action.to);
}

/** Draws an auction with each render, and knows which change is pointed at. */
function useAuctionCanvas({ columns: all, span, until, close }: AuctionDrawingProps) {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useElementWidth(host);
  const [pointedTime, setPointedTime] = useState<number | null>(null);
  const columns = shownPart(all, span);
  const count = columns.time.length;
  // By its time: changes that are left out move all places.
  const pointed = pointedTime === null ? null : Math.max(0, auctionIndexAt(columns.time, pointedTime));
  const plan = planAuction({ columns, span, close, width, height: HEIGHT });
  useLayoutEffect(() => {
    if (canvas.current === null || host.current === null || width === 0) return;
    const drawing = { columns, plan, until, looks: readLooks(host.current) };
    drawAuction(canvas.current, drawing, { close, shown: pointed, width, height: HEIGHT });
  });
  useScreenScale();
  const point = auctionPointAt(columns, pointed ?? count - 1);
  /** @param index a change's place; null for none */
  const pointTo = (index: number | null): void =>
    setPointedTime(index === null ? null : (columns.time[index] ?? null));
  return {
    host,
    canvas,
    width,
    count,
    pointed,
    pointTo,
    looks: looksKey(),
    values: point ? auctionValues(point, close) : null,
    /** @param x px from the left of the drawing */
    pointAt: (x: number): void => {
      const time = span.from + (x / plan.right) * (span.until - span.from);
      pointTo(Math.max(0, auctionIndexAt(columns.time, time)));
    },
  };
}

/** Draws again when the window moves to a screen with other pixels. */
function useScreenScale(): void {
  const [, setScale] = useState(() => window.devicePixelRatio);
  useEffect(() => {
    const resized = () => setScale(window.devicePixelRatio);
    window.addEventListener('resize', resized);
    return () => window.removeEventListener('resize', resized);
  }, []);
}

/** The change that the crosshair is on, else the newest. */
function Legend({ values }: { values: AuctionValues | null }): ReactNode {
  if (values === null)
    return <p className="auction-legend wrap gap-0-3 small">No change in these minutes.</p>;
  return (
    <dl className="auction-legend wrap gap-0-3 small">
      <Value term="At">{values.time}</Value>
      <Value term="Match" mark="price">
        {values.price} <span className="muted">{values.gap}</span>
      </Value>
      <Value term="Volume" mark="volume">
        {values.volume}
      </Value>
      <Value term="Surplus">
        <span className={values.direction === 'flat' ? undefined : trendClass(values.direction)}>
          {values.surplus}
        </span>
      </Value>
    </dl>
  );
}

type ValueProps = { term: string; mark?: 'price' | 'volume'; children: ReactNode };

function Value({ term, mark, children }: ValueProps): ReactNode {
  return (
    <div className="auction-value cluster" data-mark={mark}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
