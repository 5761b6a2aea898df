import type { ReactNode } from 'react';
import { FetchedBody } from '../parts/FetchedBody.tsx';
import { LifeView } from './LifeView.tsx';
import { useLife } from './useLife.ts';

/** The life of a call within a table or a dialog. */
export function LoadedLife({ publicId }: { publicId: string }): ReactNode {
  const { state, retry } = useLife(publicId);
  return (
    <FetchedBody state={state} retry={retry}>
      {(life) => <LifeView life={life} />}
    </FetchedBody>
  );
}
