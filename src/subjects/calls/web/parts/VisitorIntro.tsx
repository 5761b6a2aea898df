import { lazy } from 'react';
import { REGISTER_PATH } from '#web/router/routes.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { board } from '../state.ts';
import { ABOUT } from './about.ts';

const Introduction = lazy(async () => ({ default: (await import('./Introduction.tsx')).Introduction }));

/**
 * Tells a visitor what this is: at length on a server without calls, else in a line above them; members know. The long
 * form suspends while its code comes: what stands below would move otherwise.
 */
export function VisitorIntro() {
  const { data, error } = board.value;
  // Which of the two it is tells the first answer.
  if (session.value.isAuthenticated || (data === null && error === null)) return null;
  if (data?.calls.length === 0) return <Introduction />;
  return (
    <p className="calls-about">
      {ABOUT} <a href={`#${REGISTER_PATH}`}>Register</a>
    </p>
  );
}
