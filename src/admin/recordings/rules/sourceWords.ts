/** How the panel names the source that a server goes back to after a recording, by `BELLBIRD_FEED`. */
export const SOURCE_WORDS = {
  simulator: 'the simulated market',
  tradingview: 'the live market of TradingView',
  ingest: 'the live market that is sent to it',
  replay: 'the recording of the settings',
} as const;
