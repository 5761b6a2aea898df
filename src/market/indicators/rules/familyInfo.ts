import { capitalised } from '#lib/capitalised.ts';
import { lookUp } from '#lib/lookUp.ts';
/** What the names of a family's columns do not say. */
export type FamilyInfo = {
  label: string;
  fullName: string;
  /** The parameter value that the bare name stands for: the column RSI is that of 14. */
  bareValue?: string;
  /** The value offered first in a family without a bare name. */
  firstValue?: string;
};

const info = (
  label: string,
  fullName: string,
  more: Pick<FamilyInfo, 'bareValue' | 'firstValue'> = {},
): FamilyInfo => ({
  label,
  fullName,
  ...more,
});
const band = (label: string, name: string): FamilyInfo =>
  info(label, `Bollinger Bands ${name}`, { bareValue: '20' });
const ichimoku = (label: string, name: string): FamilyInfo =>
  info(`Ichimoku ${label}`, `Ichimoku Cloud ${name}`, { bareValue: '9_26_52_26' });
const donchian = (name: string): FamilyInfo =>
  info(`Donchian ${name}`, `Donchian Channels ${name}`, { firstValue: '20' });
const keltner = (name: string): FamilyInfo => info(`Keltner ${name}`, `Keltner Channels ${name}`);
const rating = (name: string): FamilyInfo => info(`Rating ${name}`, `Technical rating: ${name}`);

/** By the platform's name. Families that are not listed get a label made of that name. */
export const FAMILY_INFO: Readonly<Record<string, FamilyInfo>> = {
  EMA: info('EMA', 'Exponential Moving Average', { firstValue: '20' }),
  SMA: info('SMA', 'Simple Moving Average', { firstValue: '20' }),
  HullMA: info('Hull MA', 'Hull Moving Average', { firstValue: '9' }),
  VWMA: info('VWMA', 'Volume Weighted Moving Average'),
  VWAP: info('VWAP', 'Volume Weighted Average Price'),
  RSI: info('RSI', 'Relative Strength Index', { bareValue: '14' }),
  CCI: info('CCI', 'Commodity Channel Index', { firstValue: '20' }),
  ADX: info('ADX', 'Average Directional Index', { bareValue: '14' }),
  'ADX+DI': info('+DI', 'Positive Directional Indicator', { bareValue: '14' }),
  'ADX-DI': info('-DI', 'Negative Directional Indicator', { bareValue: '14' }),
  Mom: info('Momentum', 'Momentum', { bareValue: '10' }),
  ROC: info('ROC', 'Rate of Change'),
  AO: info('AO', 'Awesome Oscillator'),
  UO: info('UO', 'Ultimate Oscillator'),
  'W.R': info('Williams %R', 'Williams Percent Range'),
  'Stoch.K': info('Stoch %K', 'Stochastic %K', { bareValue: '14_3_3' }),
  'Stoch.D': info('Stoch %D', 'Stochastic %D', { bareValue: '14_3_3' }),
  'Stoch.RSI.K': info('Stoch RSI %K', 'Stochastic RSI fast line'),
  'Stoch.RSI.D': info('Stoch RSI %D', 'Stochastic RSI slow line'),
  'MACD.macd': info('MACD', 'Moving Average Convergence Divergence line'),
  'MACD.signal': info('MACD signal', 'Moving Average Convergence Divergence signal line'),
  'MACD.hist': info('MACD histogram', 'Moving Average Convergence Divergence histogram'),
  'BB.upper': band('BB upper', 'upper band'),
  'BB.lower': band('BB lower', 'lower band'),
  'BB.basis': band('BB basis', 'middle line'),
  BBPower: info('Bull Bear Power', 'Bull Bear Power'),
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
  'P.SAR': info('Parabolic SAR', 'Parabolic Stop and Reverse'),
  'Aroon.Up': info('Aroon up', 'Aroon up'),
  'Aroon.Down': info('Aroon down', 'Aroon down'),
  ATR: info('ATR', 'Average True Range'),
  ATRP: info('ATR %', 'Average True Range in percent'),
  ADR: info('ADR', 'Average Day Range'),
  ADRP: info('ADR %', 'Average Day Range in percent'),
  ChaikinMoneyFlow: info('Chaikin MF', 'Chaikin Money Flow'),
  MoneyFlow: info('Money Flow', 'Money Flow Index'),
  'Recommend.All': rating('overall'),
  'Recommend.MA': rating('moving averages'),
  'Recommend.Other': rating('oscillators'),
  open: info('Open', 'Open of the bar'),
  high: info('High', 'High of the bar'),
  low: info('Low', 'Low of the bar'),
  close: info('Close', 'Close of the bar'),
  volume: info('Volume', 'Volume of the bar'),
  change: info('Change %', 'Change of the bar in percent'),
  change_abs: info('Change', 'Change of the bar'),
  change_from_open: info('From open %', 'Change from the open in percent'),
  change_from_open_abs: info('From open', 'Change from the open'),
  gap: info('Gap %', 'Gap in percent'),
  gap_up: info('Gap up %', 'Gap up in percent'),
  gap_down: info('Gap down %', 'Gap down in percent'),
  gap_up_abs: info('Gap up', 'Gap up'),
  gap_down_abs: info('Gap down', 'Gap down'),
  volume_change: info('Volume change %', 'Volume change in percent'),
  volume_change_abs: info('Volume change', 'Volume change'),
  relative_volume_10d_calc: info('Relative volume', 'Volume relative to the average of 10 bars'),
  average_volume_10d_calc: info('Average volume 10', 'Average volume of 10 bars'),
  average_volume_30d_calc: info('Average volume 30', 'Average volume of 30 bars'),
  average_volume_60d_calc: info('Average volume 60', 'Average volume of 60 bars'),
  average_volume_90d_calc: info('Average volume 90', 'Average volume of 90 bars'),
};

const spaced = (text: string): string =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/(\d)([A-Z])/g, '$1 $2')
    .replace(/[._]{1,80}/g, ' ')
    .trim();

/** A readable label of a platform's name: 'Candle.Engulfing.Bullish' → 'Candle Engulfing Bullish'. */
function labelFrom(family: string): string {
  const words = spaced(family.replace(/^Pivot\.M\./, 'Pivot.').replace(/^Rec\./, 'Rating '));
  return capitalised(words);
}

/** Labels and defaults of a family. @param family the platform's name */
export function familyInfoOf(family: string): FamilyInfo {
  const own = lookUp(FAMILY_INFO, family);
  if (own) return own;
  const name = labelFrom(family);
  return info(name, name);
}
