import { api, messageOf, unwrap } from '#web/api/client.ts';
import { useState } from 'react';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';
import type { SpecialDay } from '#market/rules/specialDays.ts';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';
import { closuresAnswer, type KnownSpecialDay } from '../answers/closures.ts';

const closures = api.admin['market-closures'];

const fetchClosures = async (): Promise<KnownSpecialDay[]> =>
  (await unwrap(closures.get(), closuresAnswer.read)).days;

export type ClosuresState = {
  loaded: Loaded<KnownSpecialDay[]>;
  /** Why the last removal was refused; null when it was not. */
  error: string | null;
  dismiss(): void;
  /** @throws ApiError with the server's refusal */
  add(day: SpecialDay): Promise<void>;
  /** @returns whether it is gone */
  remove(date: string): Promise<boolean>;
};

/** The special closures of the exchange, and their changes. */
export function useClosures(): ClosuresState {
  const loaded = useLoaded(fetchClosures, ADMIN_MESSAGES.loadClosures);
  const [error, setError] = useState<string | null>(null);
  return {
    loaded,
    error,
    dismiss: () => setError(null),
    async add({ closesAt, ...day }) {
      const body = closesAt === null ? day : { ...day, closesAt };
      loaded.set((await asAdminAction('other', unwrap(closures.post(body), closuresAnswer.read))).days);
    },
    async remove(date) {
      setError(null);
      try {
        const left = await asAdminAction('other', unwrap(closures({ date }).delete(), closuresAnswer.read));
        loaded.set(left.days);
        return true;
      } catch (problem) {
        setError(messageOf(problem, ADMIN_MESSAGES.removeClosure));
        return false;
      }
    },
  };
}
