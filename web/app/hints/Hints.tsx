import { type ComponentType, useEffect, useState } from 'react';
import { isPopup } from '#web/popup/popup.ts';
import { hintsKey } from '#subjects/accounts/web/shared/session/newUser.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { readStoredText } from '#web/shared/storage.ts';
import { withStyles } from '#web/shared/lateStyles.ts';

/** The hints of a new user, whose code only new users fetch; what fails to come is no loss. */
export function Hints() {
  const [Line, setLine] = useState<ComponentType | null>(null);
  const key = isPopup ? null : hintsKey(session.value.accessToken);
  const isNew = key !== null && readStoredText(key) !== null;
  useEffect(() => {
    if (!isNew) return;
    withStyles(import('./HintLine.tsx')).then(
      ({ HintLine }) => setLine(() => HintLine),
      (problem: unknown) => console.warn('The hints could not be fetched.', problem),
    );
  }, [isNew]);
  return isNew && Line !== null && <Line />;
}
