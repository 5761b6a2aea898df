import type { ReactNode } from 'react';

/** A page that scrolls as a whole; narrow is at most 760 px wide, normal 1400 px. */
export const Page = ({
  width = 'normal',
  children,
}: {
  width?: 'narrow' | 'normal';
  children: ReactNode;
}) => <div className={`page page-${width}`}>{children}</div>;
