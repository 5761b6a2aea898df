import { ok, refuse, type Result } from '#lib/result.ts';

/** Called the quote site on the wire and in the database. */
export type QuoteLink = 'none' | 'commsec' | 'hotcopper' | 'asx' | 'google' | 'tradingview';

type QuoteLinkOption = { id: QuoteLink; label: string };

export const QUOTE_LINKS: readonly QuoteLinkOption[] = [
  { id: 'none', label: '— No link —' },
  { id: 'commsec', label: 'CommSec' },
  { id: 'hotcopper', label: 'HotCopper' },
  { id: 'asx', label: 'ASX (official)' },
  { id: 'google', label: 'Google Finance' },
  { id: 'tradingview', label: 'TradingView' },
];

export const isQuoteLink = (value: unknown): value is QuoteLink =>
  QUOTE_LINKS.some((option) => option.id === value);

export const checkQuoteLink = (sent: unknown): Result<QuoteLink> =>
  isQuoteLink(sent)
    ? ok(sent)
    : refuse(
        `Unknown quote site. Choose one of ${QUOTE_LINKS.map((option) => option.id).join(', ')}.`,
        'site',
      );

/** @param code in any case @returns a full address, or null for `none` and for an unknown site */
export function quoteLinkUrl(link: string, code: string): string | null {
  const upper = encodeURIComponent(code.toUpperCase());
  switch (link) {
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
