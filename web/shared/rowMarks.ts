import { BREAKPOINTS } from '../ui/useWidthQuery.ts';

export type RowMarksInput = {
  /** What carries the mark, from the row on: ' .name-cell::after'. */
  at: string;
  /** Declarations; the content has words for a screen reader behind a slash. */
  mark: string;
  /** Declarations that differ where there is little room. */
  onPhone: string;
};

export type RowMarks = {
  /** Marks the rows of these symbols, each for its time. */
  mark(symbols: Iterable<readonly [symbol: string, forMs: number]>): void;
  /** Takes all marks away. */
  clear(): void;
};

/**
 * Marks the rows of symbols for a while, in whatever table shows them: by a style sheet of rules for the rows' ids, so that
 * no row has to listen, render or move.
 */
export function createRowMarks({ at, mark, onPhone }: RowMarksInput): RowMarks {
  const sheet = typeof CSSStyleSheet === 'undefined' ? null : new CSSStyleSheet();
  const marked = new Map<string, ReturnType<typeof setTimeout>>();

  function write(): void {
    if (!sheet) return;
    const others = document.adoptedStyleSheets.filter((one) => one !== sheet);
    document.adoptedStyleSheets = marked.size > 0 ? [...others, sheet] : others;
    const rows = [...marked.keys()].map((symbol) => `tr[data-id="${CSS.escape(symbol)}"]${at}`).join(', ');
    sheet.replaceSync(
      rows === '' ? '' : `${rows} { ${mark} } @media ${BREAKPOINTS.phone} { ${rows} { ${onPhone} } }`,
    );
  }

  function end(symbol: string): void {
    marked.delete(symbol);
    write();
  }

  return {
    mark(symbols) {
      for (const [symbol, forMs] of symbols) {
        clearTimeout(marked.get(symbol));
        marked.set(
          symbol,
          setTimeout(() => end(symbol), forMs),
        );
      }
      write();
    },
    clear() {
      for (const timer of marked.values()) clearTimeout(timer);
      marked.clear();
      write();
    },
  };
}
