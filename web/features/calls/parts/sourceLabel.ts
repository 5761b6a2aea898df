const LABELS: Readonly<Record<string, string>> = {
  simulator: 'Simulated',
  tradingview: 'TradingView',
  ingest: 'Broker feed',
  replay: 'Replay',
  unknown: 'Not recorded',
};

/** What a source of prices is called on screen; one that this page does not know goes by its own name. */
export const sourceLabel = (source: string | null): string =>
  source === null ? 'Not recorded' : (LABELS[source] ?? source);
