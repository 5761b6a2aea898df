import { BREAKPOINTS } from '../ui/useWidthQuery.ts';

export type RowMarksInput = {
  /** Selector of the marked element, relative to the row: ' .name-cell::after'. */
  at: string;
  /** Declarations of the mark; `content` has an alternative text for screen readers. */
  mark: string;
  onPhone: string;
};

export type RowMarks = {
  mark(symbols: Iterable<readonly [symbol: string, forMs: number]>): void;
  clear(): void;
};

/** Marks rows in any table by a style sheet with rules for row ids, so that no row has to render. */
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
