export type QuoteSite = 'none' | 'commsec' | 'hotcopper' | 'asx' | 'google' | 'tradingview';

type QuoteSiteOption = { id: QuoteSite; label: string };

/** The choices of the quote link preference, in the order of the select. */
export const QUOTE_SITES: readonly QuoteSiteOption[] = [
  { id: 'none', label: '— No link —' },
  { id: 'commsec', label: 'CommSec' },
  { id: 'hotcopper', label: 'HotCopper' },
  { id: 'asx', label: 'ASX (official)' },
  { id: 'google', label: 'Google Finance' },
  { id: 'tradingview', label: 'TradingView' },
];

/** True for the id of a quote site, `none` included. */
export const isQuoteSite = (value: unknown): value is QuoteSite =>
  QUOTE_SITES.some((option) => option.id === value);

/**
 * The page of one ASX listing at a quote site.
 *
 * @param code the stock code in any case
 * @returns a full address, or null for `none` and for a site that is not known
 */
export function quoteUrl(site: string, code: string): string | null {
  const upper = encodeURIComponent(code.toUpperCase());
  switch (site) {
    case 'commsec':
      return `https://www2.commsec.com.au/quotes/summary?stockCode=${upper}&exchangeCode=ASX`;
    case 'hotcopper':
      return `https://hotcopper.com.au/asx/${encodeURIComponent(code.toLowerCase())}/`;
    case 'asx':
      return `https://www.asx.com.au/markets/company/${upper}`;
    case 'google':
      return `https://www.google.com/finance/quote/${upper}:ASX`;
    case 'tradingview':
      return `https://www.tradingview.com/symbols/ASX-${upper}/`;
    default:
      return null;
  }
}
