import type { Known } from '#lib/contract/fields.ts';
import { fromSydney } from '#market/rules/sydneyTime.ts';
import { api, unwrap } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { marketNow } from '#web/live/market.ts';
import type { Securities } from '#market/rules/securities.ts';
import { usualValueAnswer } from '../answers/usualValue.ts';
import type { Usual } from '../rules/glanceText.ts';
import { sumOfCurves } from '../rules/valueCurve.ts';

export type UsualAnswer = NonNullable<Known<typeof usualValueAnswer>>;

/** @throws ApiError with the server's sentence */
export const fetchUsual = (): Promise<UsualAnswer> =>
  unwrap(api.data['usual-value'].get(), readerOf(usualValueAnswer));

/** What is usually traded of these securities by now. @param date of the session that is shown, YYYY-MM-DD */
export function usualNow(
  { shares, funds, sessions }: UsualAnswer,
  securities: Securities | undefined,
  date: string,
): Usual {
  const curve =
    securities === undefined ? sumOfCurves(shares, funds) : securities === 'funds' ? funds : shares;
  return { curve, sessions, minutes: (marketNow() - fromSydney(date, 10, 0)) / 60_000 };
}
