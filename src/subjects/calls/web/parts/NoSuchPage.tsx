import type { ReactNode } from 'react';
import { CALLS_PATH } from '#web/router/routes.ts';
import { EmptyState } from '#ui/EmptyState.tsx';

/** What is said where an address leads to no call and no record, with the way to those that there are. */
export const NoSuchPage = ({ children }: { children: ReactNode }) => (
  <EmptyState
    action={
      <a className="button" href={`#${CALLS_PATH}`}>
        Go to Calls
      </a>
    }
  >
    {children}
  </EmptyState>
);
