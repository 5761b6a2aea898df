import type { ReactNode } from 'react';

/** The frame of a screen that scrolls as a whole; narrow 760 px, normal 1400 px at most. */
export const Page = ({
  width = 'normal',
  children,
}: {
  width?: 'narrow' | 'normal';
  children: ReactNode;
}) => <div className={`page page-${width}`}>{children}</div>;
