import { memo, type ReactNode, useLayoutEffect, useRef, lazy, Suspense } from 'react';
import './stock.css';
import { hasNewsIcon, hasSensitiveNews, SENSITIVE_BUT_UNPUBLISHED } from '#market/rules/announcements.ts';
import { createTooltipButton } from '#ui/TooltipButton.tsx';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';
import type { Stock } from '#market/rules/stock.ts';
import { withStyles } from '#web/shared/lateStyles.ts';

type News = {
  isSensitive: boolean;
  /** The newest headline of today; null if there is none. */
  headline: string | null;
  inTabOrder: boolean;
};

type NewsMark = {
  element: HTMLElement;
  setWords(news: News): void;
  remove(): void;
};

/** Shapes of Lucide's newspaper and circled-dollar icons. */
const SHAPES = {
  plain:
    '<path d="M15 18h-5"/><path d="M18 14h-8"/><path d="M4 22h16a2 2 0 0 0 2-2V4a2 2 0 0 0-2-2H8a2 2 0 0 0-2 2v16a2 2 0 0 1-4 0v-9a2 2 0 0 1 2-2h2"/><rect width="8" height="4" x="10" y="6" rx="1"/>',
  sensitive:
    '<circle cx="12" cy="12" r="10"/><path d="M16 8h-6a2 2 0 1 0 0 4h4a2 2 0 1 1 0 4H8"/><path d="M12 18V6"/>',
} as const;

function iconOf(shape: keyof typeof SHAPES, size: number): Node {
  const template = document.createElement('template');
  template.innerHTML = `<svg role="img" aria-label="News today" width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${SHAPES[shape]}</svg>`;
  return template.content;
}

function createMark(isSensitive: boolean): NewsMark {
  const element = document.createElement('span');
  element.className = isSensitive ? 'news-mark is-sensitive' : 'news-mark';
  const button = createTooltipButton(isSensitive ? iconOf('sensitive', 15) : iconOf('plain', 13));
  element.append(button.element);
  return {
    element,
    setWords: ({ headline, inTabOrder }) =>
      button.setWords({
        label: isSensitive ? 'Price-sensitive news today' : 'News today',
        text: headline ?? (isSensitive ? SENSITIVE_BUT_UNPUBLISHED : null),
        inTabOrder,
      }),
    remove: () => {
      button.close();
      element.remove();
    },
  };
}

/**
 * The news marks of one line: a plain and a price-sensitive one, with the headline as tooltip. They are created when
 * first needed and reused when the line shows other rows.
 */
function createNewsMarks(): { of(news: News): NewsMark } {
  let plain: NewsMark | null = null;
  let sensitive: NewsMark | null = null;
  return {
    of: (news) => {
      const mark = news.isSensitive ? (sensitive ??= createMark(true)) : (plain ??= createMark(false));
      mark.setWords(news);
      return mark;
    },
  };
}

export type NameCellProps = {
  code: string;
  name: string;
  /** Why the stock does not trade, such as 'Halted'; null if it does. */
  note: string | null;
  /** Address of the stock on the quote site; null for no link. */
  url: string | null;
  news: 'none' | 'plain' | 'sensitive';
  /** The newest headline of today; null if there is none. */
  headline: string | null;
  isShort: boolean;
  inTabOrder: boolean;
};

export const newsOf = (stock: Stock, today: string): NameCellProps['news'] =>
  hasSensitiveNews(stock, today) ? 'sensitive' : hasNewsIcon(stock, today) ? 'plain' : 'none';

type Write = (props: NameCellProps) => void;

function spanOf(className: string): HTMLSpanElement {
  const span = document.createElement('span');
  span.className = className;
  return span;
}

function linkOf(): HTMLAnchorElement {
  const link = document.createElement('a');
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  return link;
}

function place(parent: Element, child: Element, isThere: boolean): void {
  if (!isThere) child.remove();
  else if (child.parentNode !== parent) parent.append(child);
}

function createStock(first: Element): Write {
  const code = spanOf('name-cell-code');
  const company = spanOf('name-cell-company');
  const noteText = spanOf('name-cell-note');
  let stock: HTMLElement | null = null;
  let written: Partial<NameCellProps> = {};
  return (props) => {
    const { url, name, note, isShort, inTabOrder } = props;
    if (stock === null || (url === null) !== (written.url === null)) {
      const made = url === null ? document.createElement('span') : linkOf();
      made.className = 'name-cell-stock';
      made.append(code, company);
      stock?.remove();
      first.prepend(made);
      stock = made;
      written = {};
    }
    if (props.code !== written.code) code.textContent = props.code;
    if (name !== written.name) {
      company.textContent = name;
      stock.title = name;
    }
    if (note !== written.note) {
      noteText.textContent = note;
      if (note === null) noteText.remove();
      else code.after(noteText);
    }
    if (isShort !== written.isShort) place(stock, company, !isShort);
    if (stock instanceof HTMLAnchorElement && url !== null) {
      if (url !== written.url) stock.href = url;
      if (inTabOrder !== written.inTabOrder) stock.tabIndex = inTabOrder ? 0 : -1;
    }
    written = props;
  };
}

function createNews(first: Element): Write {
  const marks = createNewsMarks();
  let shown: NewsMark | null = null;
  return ({ news, headline, inTabOrder }) => {
    const isSensitive = news === 'sensitive';
    const mark = news === 'none' ? null : marks.of({ isSensitive, headline, inTabOrder });
    if (mark === shown) return;
    shown?.remove();
    if (mark !== null) first.append(mark.element);
    shown = mark;
  };
}

function createNameCell(cell: Element): Write {
  const root = spanOf('name-cell');
  const first = spanOf('name-cell-first');
  const headline = spanOf('name-cell-headline');
  headline.setAttribute('aria-hidden', 'true');
  root.append(first);
  cell.replaceChildren(root);
  const parts = [createStock(first), createNews(first)];
  let written = '';
  return (props) => {
    for (const write of parts) write(props);
    const text = props.isShort ? '' : (props.headline ?? '');
    place(root, headline, text !== '');
    if (text !== written) headline.textContent = text;
    written = text;
  };
}

const written = new WeakMap<Element, Write>();

/**
 * Code and company, linked to the chosen quote site, with a mark if there is news today, and the headline if there is
 * room. Screen readers skip the headline, because it is the description of the mark.
 * @param cell an empty element, or one that this function has written before
 * @returns a function that writes only differences
 */
export function nameCellIn(cell: Element): Write {
  const write = written.get(cell) ?? createNameCell(cell);
  written.set(cell, write);
  return write;
}

function PlainNameCell(props: NameCellProps): ReactNode {
  const cell = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (cell.current) nameCellIn(cell.current)(props);
  });
  return <span ref={cell} className="name-cell-place" />;
}

/** The name cell for React. It gets no row, so that a price change does not render it. */
export const NameCell = memo(PlainNameCell);

/** The surplus of a running auction, with a mark for a minute after it changed sides. */
export function SurplusCell({ row, children }: { row: ScannerRow; children: ReactNode }): ReactNode {
  const { surplusFlip } = row;
  if (surplusFlip === undefined || row.preopenCached) return children;
  const words = `Flipped to ${surplusFlip > 0 ? 'buyers' : 'sellers'} in the last minute`;
  return (
    <>
      <span className="surplus-flip" title={words}>
        <span aria-hidden="true">⇄</span>
        <span className="visually-hidden">{words}:</span>
      </span>{' '}
      {children}
    </>
  );
}

// If the code does not load, the cell stays empty.
const DayCell = lazy(() =>
  withStyles(import('./DayCell.tsx')).then(
    (code) => ({ default: code.DayCell }),
    () => ({ default: () => null }),
  ),
);

export const LateDayCell = (props: { stock: Stock }): ReactNode => (
  <Suspense fallback={null}>
    <DayCell {...props} />
  </Suspense>
);
