import { releaseText } from '#market/rules/newsRow.ts';
import type { Stock } from '#market/rules/stock.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import { SCANNERS, type ScannerKey } from '#subjects/scanners/rules/scanners.ts';
import { marketNow } from '#web/live/market.ts';
import { isWebAddress } from '#subjects/announcements/web/shared/isWebAddress.ts';
import type { Headline } from '#subjects/announcements/web/shared/api.ts';
import { requestRow } from '#web/shared/scannerRequests.ts';
import { navigate } from '#web/router/navigate.ts';
import type { PaletteEntry } from './search.ts';

const isInRow = (stock: Stock, id: string): boolean =>
  Object.values(stock.news ?? {}).some((day) => id in day.announcements);

const describe = ({ headline, time, isPriceSensitive }: Headline): string =>
  [
    headline,
    releaseText(time, sydneyDate(marketNow())),
    ...(isPriceSensitive ? ['Price sensitive'] : []),
  ].join(' · ');

/**
 * Where a headline leads: to the row of its stock, opened, while that shows it; else to its document.
 * @param scannerOf the scanner that shows a stock
 * @returns none for what has neither
 */
function entryOf(
  headline: Headline,
  stock: Stock | undefined,
  scannerOf: (stock: Stock) => ScannerKey,
): PaletteEntry[] {
  const { id, code, url } = headline;
  const entry = { id: `headline ${id}`, label: code, about: describe(headline) };
  if (isWebAddress(url) && !(stock && isInRow(stock, id))) {
    const open = () => void window.open(url, '_blank', 'noopener,noreferrer');
    return [{ ...entry, about: `${entry.about} · Document`, run: open }];
  }
  if (!stock) return [];
  const scanner = scannerOf(stock);
  const jump = () => {
    requestRow({ scanner, code, opensNews: true });
    navigate(SCANNERS[scanner].route);
  };
  return [{ ...entry, takesFocus: true, run: jump }];
}

/** The headlines that a search found, newest first. */
export const headlineEntries = (
  headlines: readonly Headline[],
  stocks: ReadonlyMap<string, Stock>,
  scannerOf: (stock: Stock) => ScannerKey,
): PaletteEntry[] => headlines.flatMap((headline) => entryOf(headline, stocks.get(headline.code), scannerOf));
