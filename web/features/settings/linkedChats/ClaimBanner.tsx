import { claimOutcome, dismissClaimOutcome } from '../../../shared/claimLink.ts';
import { Banner } from '../../../ui/Banner.tsx';

/** What came of a chat's one-time link. */
export function ClaimBanner() {
  const outcome = claimOutcome.value;
  return (
    outcome && (
      <Banner look={outcome.isLinked ? 'info' : 'error'} onDismiss={dismissClaimOutcome}>
        {outcome.message}
      </Banner>
    )
  );
}
