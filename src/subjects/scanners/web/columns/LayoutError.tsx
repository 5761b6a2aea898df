import type { ReactNode } from 'react';
import { layoutError } from '../shared/columns/layoutError.ts';
import { Banner } from '#ui/Banner.tsx';

/** Says why the last change of the columns was taken back, until it is dismissed. */
export function LayoutError(): ReactNode {
  if (layoutError.value === null) return null;
  const dismiss = () => {
    layoutError.value = null;
  };
  return <Banner onDismiss={dismiss}>{layoutError.value}</Banner>;
}
