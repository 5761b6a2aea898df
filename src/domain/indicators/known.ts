/** What is known of a family beyond its column names. */
export type Known = {
  label: string;
  fullName: string;
  /** The parameter of the bare name, e.g. RSI is RSI of 14. */
  bareValue?: string;
  /** The value offered first when no name is bare. */
  usual?: string;
};

const known = (label: string, fullName: string, more: Pick<Known, 'bareValue' | 'usual'> = {}): Known => ({
  label,
  fullName,
  ...more,
});
const band = (label: string, name: string): Known =>
  known(label, `Bollinger Bands ${name}`, { bareValue: '20' });
const ichimoku = (label: string, name: string): Known =>
  known(`Ichimoku ${label}`, `Ichimoku Cloud ${name}`, { bareValue: '9_26_52_26' });
const donchian = (name: string): Known =>
  known(`Donchian ${name}`, `Donchian Channels ${name}`, { usual: '20' });
const keltner = (name: string): Known => known(`Keltner ${name}`, `Keltner Channels ${name}`);
const rating = (name: string): Known => known(`Rating ${name}`, `Technical rating: ${name}`);

/** Names and defaults that the platform's column list does not tell. A family that is not here gets a made name. */
export const KNOWN: Readonly<Record<string, Known>> = {
  EMA: known('EMA', 'Exponential Moving Average', { usual: '20' }),
  SMA: known('SMA', 'Simple Moving Average', { usual: '20' }),
  HullMA: known('Hull MA', 'Hull Moving Average', { usual: '9' }),
  VWMA: known('VWMA', 'Volume Weighted Moving Average'),
  VWAP: known('VWAP', 'Volume Weighted Average Price'),
  RSI: known('RSI', 'Relative Strength Index', { bareValue: '14' }),
  CCI: known('CCI', 'Commodity Channel Index', { usual: '20' }),
  ADX: known('ADX', 'Average Directional Index', { bareValue: '14' }),
  'ADX+DI': known('+DI', 'Positive Directional Indicator', { bareValue: '14' }),
  'ADX-DI': known('-DI', 'Negative Directional Indicator', { bareValue: '14' }),
  Mom: known('Momentum', 'Momentum', { bareValue: '10' }),
  ROC: known('ROC', 'Rate of Change'),
  AO: known('AO', 'Awesome Oscillator'),
  UO: known('UO', 'Ultimate Oscillator'),
  'W.R': known('Williams %R', 'Williams Percent Range'),
  'Stoch.K': known('Stoch %K', 'Stochastic %K', { bareValue: '14_3_3' }),
  'Stoch.D': known('Stoch %D', 'Stochastic %D', { bareValue: '14_3_3' }),
  'Stoch.RSI.K': known('Stoch RSI %K', 'Stochastic RSI fast line'),
  'Stoch.RSI.D': known('Stoch RSI %D', 'Stochastic RSI slow line'),
  'MACD.macd': known('MACD', 'Moving Average Convergence Divergence line'),
  'MACD.signal': known('MACD signal', 'Moving Average Convergence Divergence signal line'),
  'MACD.hist': known('MACD histogram', 'Moving Average Convergence Divergence histogram'),
  'BB.upper': band('BB upper', 'upper band'),
  'BB.lower': band('BB lower', 'lower band'),
  'BB.basis': band('BB basis', 'middle line'),
  BBPower: known('Bull Bear Power', 'Bull Bear Power'),
  'DonchCh.Upper': donchian('upper'),
  'DonchCh.Lower': donchian('lower'),
  'DonchCh.Middle': donchian('middle'),
  'KltChnl.upper': keltner('upper'),
  'KltChnl.lower': keltner('lower'),
  'KltChnl.basis': keltner('basis'),
  'Ichimoku.BLine': ichimoku('base', 'base line'),
  'Ichimoku.CLine': ichimoku('conversion', 'conversion line'),
  'Ichimoku.Lead1': ichimoku('span A', 'leading span A'),
  'Ichimoku.Lead2': ichimoku('span B', 'leading span B'),
  'P.SAR': known('Parabolic SAR', 'Parabolic Stop and Reverse'),
  'Aroon.Up': known('Aroon up', 'Aroon up'),
  'Aroon.Down': known('Aroon down', 'Aroon down'),
  ATR: known('ATR', 'Average True Range'),
  ATRP: known('ATR %', 'Average True Range in percent'),
  ADR: known('ADR', 'Average Day Range'),
  ADRP: known('ADR %', 'Average Day Range in percent'),
  ChaikinMoneyFlow: known('Chaikin MF', 'Chaikin Money Flow'),
  MoneyFlow: known('Money Flow', 'Money Flow Index'),
  'Recommend.All': rating('overall'),
  'Recommend.MA': rating('moving averages'),
  'Recommend.Other': rating('oscillators'),
  open: known('Open', 'Open of the bar'),
  high: known('High', 'High of the bar'),
  low: known('Low', 'Low of the bar'),
  close: known('Close', 'Close of the bar'),
  volume: known('Volume', 'Volume of the bar'),
  change: known('Change %', 'Change of the bar in percent'),
  change_abs: known('Change', 'Change of the bar'),
  change_from_open: known('From open %', 'Change from the open in percent'),
  change_from_open_abs: known('From open', 'Change from the open'),
  gap: known('Gap %', 'Gap in percent'),
  gap_up: known('Gap up %', 'Gap up in percent'),
  gap_down: known('Gap down %', 'Gap down in percent'),
  gap_up_abs: known('Gap up', 'Gap up'),
  gap_down_abs: known('Gap down', 'Gap down'),
  volume_change: known('Volume change %', 'Volume change in percent'),
  volume_change_abs: known('Volume change', 'Volume change'),
  relative_volume_10d_calc: known('Relative volume', 'Volume relative to the average of 10 bars'),
  average_volume_10d_calc: known('Average volume 10', 'Average volume of 10 bars'),
  average_volume_30d_calc: known('Average volume 30', 'Average volume of 30 bars'),
  average_volume_60d_calc: known('Average volume 60', 'Average volume of 60 bars'),
  average_volume_90d_calc: known('Average volume 90', 'Average volume of 90 bars'),
};

const spaced = (text: string): string =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/(\d)([A-Z])/g, '$1 $2')
    .replace(/[._]+/g, ' ')
    .trim();

/** A readable name made from the column's own: 'Candle.Engulfing.Bullish' → 'Candle Engulfing Bullish'. */
const madeName = (family: string): string => {
  const words = spaced(family.replace(/^Pivot\.M\./, 'Pivot.').replace(/^Rec\./, 'Rating '));
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Names and defaults of any family. */
export const knownOf = (family: string): Known => {
  const own = Object.hasOwn(KNOWN, family) ? KNOWN[family] : undefined;
  if (own) return own;
  const name = madeName(family);
  return known(name, name);
};
