import { useState } from 'react';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { messageOf } from '#web/api/client.ts';
import { Button } from '#ui/Button.tsx';
import { FormError } from '#ui/FormError.tsx';
import type { User, UserDetail } from '../answers/users.ts';
import { clearSecondFactor } from './useUsers.ts';

type SecondFactorOfProps = {
  user: Pick<User, 'id' | 'username'>;
  onCleared(detail: UserDetail | null): void;
};

/** Takes away the second factor of somebody who lost it, by two presses. */
export function SecondFactorOf({ user, onCleared }: SecondFactorOfProps) {
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const clear = async () => {
    setBusy(true);
    try {
      onCleared(await clearSecondFactor(user.id));
    } catch (problem) {
      setFailure(messageOf(problem, ADMIN_MESSAGES.saveChanges));
      setBusy(false);
    }
  };
  return (
    <div>
      <h3>Two-factor login</h3>
      <p className="field-help">
        {isAsked
          ? `Make sure that it is ${user.username} who asks: then the password alone is enough. They are told in their chats.`
          : 'On. Clear it only for somebody who lost phone and recovery codes.'}
      </p>
      {isAsked ? (
        <Button variant="danger" disabled={isBusy} onClick={() => void clear()}>
          {isBusy ? 'Clearing…' : `Clear it for ${user.username}`}
        </Button>
      ) : (
        <Button onClick={() => setAsked(true)}>Clear two-factor login…</Button>
      )}
      <FormError>{failure}</FormError>
    </div>
  );
}
