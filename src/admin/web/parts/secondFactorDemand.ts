import { ApiError } from '#web/api/client.ts';
import { patchSettings } from '#web/shared/settings.ts';
import { LACKING_SECOND_FACTOR } from '#platform/http/rules/accessLevel.ts';

/**
 * Takes note where a request of the panel was refused for want of two-factor login, as after somebody cleared it from
 * the command line: then the whole page says so, and none of its sections.
 */
export function noteDemand(problem: unknown): void {
  const isOne = problem instanceof ApiError && problem.status === 403;
  if (isOne && problem.field === LACKING_SECOND_FACTOR) patchSettings({ lacksSecondFactor: true });
}
