import type { ReactNode } from 'react';
import { Banner } from '../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../web/ui/Button.tsx';
import { SkeletonRows } from '../../../../../web/ui/SkeletonRows.tsx';
import { NoSuchPage } from './NoSuchPage.tsx';
import type { Fetched } from './useFetched.ts';

type FetchedBodyProps<T> = { state: Fetched<T>; retry(): void; children: (data: T) => ReactNode };

/** What was fetched, or that it is on its way, is not there, or could not be had. */
export function FetchedBody<T>({ state, retry, children }: FetchedBodyProps<T>): ReactNode {
  if (state.kind === 'known') return children(state.data);
  if (state.kind === 'loading') return <SkeletonRows rows={5} />;
  if (state.kind === 'failed') {
    return <Banner action={<Button onClick={retry}>Retry</Button>}>{state.message}</Banner>;
  }
  return <NoSuchPage>{state.message}</NoSuchPage>;
}
