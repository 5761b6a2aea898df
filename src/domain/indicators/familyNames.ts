/** What is known of a family beyond its column names. */
export type FamilyName = {
  label: string;
  fullName: string;
  /** The parameter of the bare name, e.g. RSI is RSI of 14. */
  bareValue?: string;
  /** The value offered first when no name is bare. */
  usual?: string;
};

const familyName = (
  label: string,
  fullName: string,
  more: Pick<FamilyName, 'bareValue' | 'usual'> = {},
): FamilyName => ({
  label,
  fullName,
  ...more,
});
const band = (label: string, name: string): FamilyName =>
  familyName(label, `Bollinger Bands ${name}`, { bareValue: '20' });
const ichimoku = (label: string, name: string): FamilyName =>
  familyName(`Ichimoku ${label}`, `Ichimoku Cloud ${name}`, { bareValue: '9_26_52_26' });
const donchian = (name: string): FamilyName =>
  familyName(`Donchian ${name}`, `Donchian Channels ${name}`, { usual: '20' });
const keltner = (name: string): FamilyName => familyName(`Keltner ${name}`, `Keltner Channels ${name}`);
const rating = (name: string): FamilyName => familyName(`Rating ${name}`, `Technical rating: ${name}`);

/** Names and defaults that the platform's column list does not tell. A family that is not here gets a made name. */
export const FAMILY_NAMES: Readonly<Record<string, FamilyName>> = {
  EMA: familyName('EMA', 'Exponential Moving Average', { usual: '20' }),
  SMA: familyName('SMA', 'Simple Moving Average', { usual: '20' }),
  HullMA: familyName('Hull MA', 'Hull Moving Average', { usual: '9' }),
  VWMA: familyName('VWMA', 'Volume Weighted Moving Average'),
  VWAP: familyName('VWAP', 'Volume Weighted Average Price'),
  RSI: familyName('RSI', 'Relative Strength Index', { bareValue: '14' }),
  CCI: familyName('CCI', 'Commodity Channel Index', { usual: '20' }),
  ADX: familyName('ADX', 'Average Directional Index', { bareValue: '14' }),
  'ADX+DI': familyName('+DI', 'Positive Directional Indicator', { bareValue: '14' }),
  'ADX-DI': familyName('-DI', 'Negative Directional Indicator', { bareValue: '14' }),
  Mom: familyName('Momentum', 'Momentum', { bareValue: '10' }),
  ROC: familyName('ROC', 'Rate of Change'),
  AO: familyName('AO', 'Awesome Oscillator'),
  UO: familyName('UO', 'Ultimate Oscillator'),
  'W.R': familyName('Williams %R', 'Williams Percent Range'),
  'Stoch.K': familyName('Stoch %K', 'Stochastic %K', { bareValue: '14_3_3' }),
  'Stoch.D': familyName('Stoch %D', 'Stochastic %D', { bareValue: '14_3_3' }),
  'Stoch.RSI.K': familyName('Stoch RSI %K', 'Stochastic RSI fast line'),
  'Stoch.RSI.D': familyName('Stoch RSI %D', 'Stochastic RSI slow line'),
  'MACD.macd': familyName('MACD', 'Moving Average Convergence Divergence line'),
  'MACD.signal': familyName('MACD signal', 'Moving Average Convergence Divergence signal line'),
  'MACD.hist': familyName('MACD histogram', 'Moving Average Convergence Divergence histogram'),
  'BB.upper': band('BB upper', 'upper band'),
  'BB.lower': band('BB lower', 'lower band'),
  'BB.basis': band('BB basis', 'middle line'),
  BBPower: familyName('Bull Bear Power', 'Bull Bear Power'),
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
  'P.SAR': familyName('Parabolic SAR', 'Parabolic Stop and Reverse'),
  'Aroon.Up': familyName('Aroon up', 'Aroon up'),
  'Aroon.Down': familyName('Aroon down', 'Aroon down'),
  ATR: familyName('ATR', 'Average True Range'),
  ATRP: familyName('ATR %', 'Average True Range in percent'),
  ADR: familyName('ADR', 'Average Day Range'),
  ADRP: familyName('ADR %', 'Average Day Range in percent'),
  ChaikinMoneyFlow: familyName('Chaikin MF', 'Chaikin Money Flow'),
  MoneyFlow: familyName('Money Flow', 'Money Flow Index'),
  'Recommend.All': rating('overall'),
  'Recommend.MA': rating('moving averages'),
  'Recommend.Other': rating('oscillators'),
  open: familyName('Open', 'Open of the bar'),
  high: familyName('High', 'High of the bar'),
  low: familyName('Low', 'Low of the bar'),
  close: familyName('Close', 'Close of the bar'),
  volume: familyName('Volume', 'Volume of the bar'),
  change: familyName('Change %', 'Change of the bar in percent'),
  change_abs: familyName('Change', 'Change of the bar'),
  change_from_open: familyName('From open %', 'Change from the open in percent'),
  change_from_open_abs: familyName('From open', 'Change from the open'),
  gap: familyName('Gap %', 'Gap in percent'),
  gap_up: familyName('Gap up %', 'Gap up in percent'),
  gap_down: familyName('Gap down %', 'Gap down in percent'),
  gap_up_abs: familyName('Gap up', 'Gap up'),
  gap_down_abs: familyName('Gap down', 'Gap down'),
  volume_change: familyName('Volume change %', 'Volume change in percent'),
  volume_change_abs: familyName('Volume change', 'Volume change'),
  relative_volume_10d_calc: familyName('Relative volume', 'Volume relative to the average of 10 bars'),
  average_volume_10d_calc: familyName('Average volume 10', 'Average volume of 10 bars'),
  average_volume_30d_calc: familyName('Average volume 30', 'Average volume of 30 bars'),
  average_volume_60d_calc: familyName('Average volume 60', 'Average volume of 60 bars'),
  average_volume_90d_calc: familyName('Average volume 90', 'Average volume of 90 bars'),
};

const spaced = (text: string): string =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/(\d)([A-Z])/g, '$1 $2')
    .replace(/[._]+/g, ' ')
    .trim();

/** A readable name made from the column's own: 'Candle.Engulfing.Bullish' → 'Candle Engulfing Bullish'. */
function madeName(family: string): string {
  const words = spaced(family.replace(/^Pivot\.M\./, 'Pivot.').replace(/^Rec\./, 'Rating '));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Names and defaults of any family. */
export function familyNameOf(family: string): FamilyName {
  const own = Object.hasOwn(FAMILY_NAMES, family) ? FAMILY_NAMES[family] : undefined;
  if (own) return own;
  const name = madeName(family);
  return familyName(name, name);
}
