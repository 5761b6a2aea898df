import type { ReadonlySignal } from '@preact/signals-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { firstOpened, type Opening, openingAt, openingText } from '#market/rules/opening.ts';
import type { Stock } from '#market/rules/stock.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import type { PriceGroup } from '#market/scanners/rules/filters.ts';
import { SCANNERS, type ScannerKey } from '#market/scanners/rules/scanners.ts';

const REFRESH_MS = 1000;

type OpeningNoteProps = {
  /** The market's clock, epoch ms. */
  clock(): number;
  stocks: ReadonlySignal<ReadonlyMap<string, Stock>>;
  /** The chosen price group, which decides to which intraday scanner the link leads. */
  priceGroup: PriceGroup | null;
  hasLink: boolean;
};

const NEXT: Readonly<Record<PriceGroup, ScannerKey>> = {
  underOne: 'intraDaySmall',
  oneOrOver: 'intraDayMidLarge',
  largeCap: 'intraDayLargeCap',
};

export function OpeningNote({ clock, stocks, priceGroup, hasLink }: OpeningNoteProps): ReactNode {
  const { kind, text } = useOpening(clock, stocks);
  return (
    <span className="opening-note align-baseline">
      <span role="timer">{text}</span>
      {kind === 'opened' && hasLink && (
        <a href={`#${SCANNERS[NEXT[priceGroup ?? 'underOne']].route}`}>Go to Intraday</a>
      )}
    </span>
  );
}

type Shown = { kind: Opening['kind']; text: string };

/** Looks up the time of the open until it is known, because it does not change afterwards. */
function openingReader(clock: () => number, stocks: () => ReadonlyMap<string, Stock>): () => Shown {
  let known: { date: string; at: number } | null = null;
  const whenOpened = (date: string): number | null => {
    if (known?.date === date) return known.at;
    const at = firstOpened(stocks().values(), date);
    known = at === null ? null : { date, at };
    return at;
  };
  return () => {
    const now = clock();
    const opening = openingAt(now, () => whenOpened(sydneyDate(now)));
    return { kind: opening.kind, text: openingText(opening, now) };
  };
}

/** Checks every second, but renders only when the text changes. */
function useOpening(clock: () => number, stocks: OpeningNoteProps['stocks']): Shown {
  const read = useMemo(() => openingReader(clock, () => stocks.peek()), [clock, stocks]);
  const [shown, setShown] = useState(read);
  useEffect(() => {
    const refresh = () => {
      const after = read();
      setShown((before) => (after.text === before.text && after.kind === before.kind ? before : after));
    };
    refresh();
    const timer = setInterval(refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, [read]);
  return shown;
}
