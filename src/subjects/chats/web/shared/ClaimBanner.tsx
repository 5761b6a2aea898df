import { PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import {
  answerClaim,
  claimOutcome,
  claimQuestion,
  dismissClaimOutcome,
  type OfferedChat,
} from './claimLink.ts';

/** 'Link the Telegram chat Mallory to your account?' */
const questionText = ({ platform, label }: OfferedChat): string => {
  const kind = platform === null ? 'chat' : `${PLATFORM_NAMES[platform]} chat`;
  return `Link ${label === null ? `this ${kind}` : `the ${kind} ${label}`} to your account?`;
};

export function ClaimBanner() {
  const outcome = claimOutcome.value;
  const offer = claimQuestion.value;
  return (
    <>
      {offer && (
        <Banner
          variant="warn"
          action={
            <span className="row">
              <Button variant="primary" onClick={() => void answerClaim(true)}>
                Link
              </Button>
              <Button onClick={() => void answerClaim(false)}>Don’t link</Button>
            </span>
          }
        >
          <b>{questionText(offer)}</b> Anyone in it will see your alerts and can ask the bot about your
          account. Link it only if you sent <code>/link</code> there yourself.
          {offer.id !== null && offer.id !== offer.label && ` Its ID is ${offer.id}.`}
        </Banner>
      )}
      {outcome && (
        <Banner variant={outcome.isLinked ? 'info' : 'error'} onDismiss={dismissClaimOutcome}>
          {outcome.message}
        </Banner>
      )}
    </>
  );
}
