import { BREAKPOINTS } from '../../ui/breakpoints.ts';

/** So long the row of a symbol whose alert fired is marked. */
export const MARKED_MS = 60_000;

/** A bell before the code, with words for a screen reader. */
const MARK = `
  content: '' / 'Alert fired, ';
  display: inline-block;
  width: 12px;
  height: 12px;
  margin-right: 4px;
  vertical-align: -1px;
  background: var(--accent);
  clip-path: path('M6 0a4 4 0 0 1 4 4v3l1.5 2h-11L2 7V4a4 4 0 0 1 4-4zM4.5 10h3a1.5 1.5 0 0 1-3 0z');
`;

/** A phone's name column has room for a code and the mark of news. */
const SMALL_MARK = 'scale: 0.75; transform-origin: left; margin-right: -2px;';

const sheet = typeof CSSStyleSheet === 'undefined' ? null : new CSSStyleSheet();
const marked = new Map<string, ReturnType<typeof setTimeout>>();

/**
 * Marks the rows of a symbol for a minute, in whatever table shows it: by a style sheet of rules for the rows' ids, so
 * that no row has to listen or render.
 */
export function markRow(symbol: string): void {
  clearTimeout(marked.get(symbol));
  const end = setTimeout(() => {
    marked.delete(symbol);
    write();
  }, MARKED_MS);
  marked.set(symbol, end);
  write();
}

/** Takes all marks away. */
export function clearRowMarks(): void {
  for (const timer of marked.values()) clearTimeout(timer);
  marked.clear();
  write();
}

const rowOf = (symbol: string): string => `tr[data-id="${CSS.escape(symbol)}"] .name-cell-code::before`;

function write(): void {
  if (!sheet) return;
  const others = document.adoptedStyleSheets.filter((one) => one !== sheet);
  document.adoptedStyleSheets = marked.size > 0 ? [...others, sheet] : others;
  const rows = [...marked.keys()].map(rowOf).join(', ');
  sheet.replaceSync(
    rows === '' ? '' : `${rows} { ${MARK} } @media ${BREAKPOINTS.phone} { ${rows} { ${SMALL_MARK} } }`,
  );
}
