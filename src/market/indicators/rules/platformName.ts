/** The parts of a platform column's name, timeframe and delay apart. */
export type PlatformName = {
  /** The name without its parameter. */
  family: string;
  prefix: string;
  separator: '' | '_';
  suffix: string;
  /** The parameter value as text; null when the name has none. */
  value: string | null;
};

/** Numbers at the end after an underscore: ADX_9, Stoch.K_14_1_3, BB.lower_50. */
const UNDERSCORED = /^(?<prefix>.{1,80}?)_(?<value>\d{1,9}(?:_\d{1,9}){0,9})$/;
/** A number right after letters, at the end or before a last part: EMA20, CCI20, DonchCh20.Upper. */
const ATTACHED = /^(?<prefix>[A-Za-z]{1,80})(?<value>\d{1,9})(?<suffix>\.[A-Za-z]{1,80})?$/;

/** Splits a column's name without timeframe and delay into its parts. A name without a parameter is the family's. */
export function splitPlatformName(name: string): PlatformName {
  const underscored = UNDERSCORED.exec(name)?.groups;
  if (underscored) {
    const { prefix = '', value = '' } = underscored;
    return { family: prefix, prefix, separator: '_', suffix: '', value };
  }
  const attached = ATTACHED.exec(name)?.groups;
  if (attached) {
    const { prefix = '', value = '', suffix = '' } = attached;
    return { family: `${prefix}${suffix}`, prefix, separator: '', suffix, value };
  }
  return { family: name, prefix: name, separator: '', suffix: '', value: null };
}

/** A family's slug: 'ADX+DI' → 'adx-plus-di', 'ADX-DI' → 'adx-minus-di', 'Stoch.K' → 'stoch-k'. */
export const slugOf = (family: string): string =>
  family
    .replaceAll('-', '.minus.')
    .replaceAll('+', '.plus.')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z\d]{1,80}/g, '-')
    .replace(/^-|-$/g, '');
