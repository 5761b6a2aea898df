import { lazy } from 'react';
import { session } from '../../../shared/session/session.ts';
import { board } from '../state.ts';

const Introduction = lazy(async () => ({ default: (await import('./Introduction.tsx')).Introduction }));

/**
 * On a server without calls a visitor is told what this is; nothing for anybody else. It suspends while its code comes:
 * what stands below would move otherwise.
 */
export function VisitorIntro() {
  const isEmpty = board.value.data?.calls.length === 0;
  return isEmpty && !session.value.isAuthenticated && <Introduction />;
}
