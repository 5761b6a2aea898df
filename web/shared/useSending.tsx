import { type ReactNode, useState } from 'react';
import type { Refusal } from '#lib/result.ts';
import { Banner } from '#ui/Banner.tsx';
import { refusalOf } from '#web/api/client.ts';

/** Sends one request at a time and keeps its refusal until the next one. */
export function useSending() {
  const [refusal, refuse] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  return {
    refusal,
    refuse,
    isBusy,
    /** @param fallback message for a failure without one @returns whether `work` succeeded */
    async send(work: () => Promise<unknown>, fallback = 'That did not work. Try again.'): Promise<boolean> {
      if (isBusy) return false;
      setBusy(true);
      refuse(null);
      try {
        await work();
        return true;
      } catch (problem) {
        refuse(refusalOf(problem, fallback));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

export type Sending = ReturnType<typeof useSending>;

/** The error of a field; null if another field caused it. */
export const errorOf = ({ refusal }: Pick<Sending, 'refusal'>, field: string): string | null =>
  refusal?.field === field ? refusal.message : null;

/** The error that none of these fields shows; null if there is none. */
export const otherError = (
  { refusal }: Pick<Sending, 'refusal'>,
  fields: readonly string[],
): string | null => (refusal === null || fields.includes(refusal.field ?? '') ? null : refusal.message);

type RefusalBannerProps = { sending: Pick<Sending, 'refusal' | 'refuse'> };

export const RefusalBanner = ({ sending: { refusal, refuse } }: RefusalBannerProps): ReactNode =>
  refusal !== null && <Banner onDismiss={() => refuse(null)}>{refusal.message}</Banner>;
