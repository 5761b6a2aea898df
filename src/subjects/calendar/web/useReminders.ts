import { useEffect } from 'react';
import { session } from '../../accounts/web/shared/session/session.ts';
import { forgetReminders, loadReminders } from './reminders.ts';

/** Loads the reminders of whoever is signed in while the calendar is shown, and again when the window is shown again: another one may have changed them. */
export function useReminders(): void {
  const { accessToken } = session.value;
  useEffect(() => {
    if (accessToken === null) return;
    void loadReminders();
    const onShown = () => {
      if (!document.hidden) void loadReminders();
    };
    document.addEventListener('visibilitychange', onShown);
    return () => {
      document.removeEventListener('visibilitychange', onShown);
      forgetReminders();
    };
  }, [accessToken]);
}
