import { lifeAnswer } from '../../answers/life.ts';
import type { Known } from '../../../../lib/contract/fields.ts';
import { api, unwrap } from '../../../../../web/api/client.ts';
import { readerOf } from '../../../../../web/api/readerOf.ts';

/** A call's life as it was read. */
export type Life = Known<typeof lifeAnswer>;

/** A call with its price path. @throws ApiError; 404 when there is no such call for this caller */
export const fetchLife = (publicId: string): Promise<Life> =>
  unwrap(api.calls({ publicId: encodeURIComponent(publicId) }).get(), readerOf(lifeAnswer));
