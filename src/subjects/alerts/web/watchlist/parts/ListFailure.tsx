import type { ReactNode } from 'react';
import { Banner } from '../../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../../web/ui/Button.tsx';

type ListFailureProps = {
  /** Null when the last load did not fail. */
  error: string | null;
  /** 'alerts' */
  what: string;
  /** Whether what an earlier load brought is shown. */
  hasOld: boolean;
  onRetry(): Promise<void>;
};

/** Why a list could not be loaded, and that what is shown is older. */
export function ListFailure({ error, what, hasOld, onRetry }: ListFailureProps): ReactNode {
  if (error === null) return null;
  return (
    <Banner action={<Button onClick={() => void onRetry()}>Retry</Button>}>
      {error}
      {hasOld && <span> · Shown are the {what} as they were loaded before</span>}
    </Banner>
  );
}
