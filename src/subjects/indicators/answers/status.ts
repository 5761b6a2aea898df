import { count, epochMs } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';

/** `GET /api/admin/indicators/catalog/tv/status` and `POST …/refresh` (specification 7.7). */
export const catalogStatus = object({
  /** When the platform's list was read; of the built-in catalog when it was recorded. */
  fetchedAt: epochMs,
  totalIndicators: count,
});
