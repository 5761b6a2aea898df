import { type ReactNode, useCallback } from 'react';
import { useNewEra } from '../../../shared/live/marketEra.ts';
import { FetchedBody } from '../parts/FetchedBody.tsx';
import { useFetched } from '../parts/useFetched.ts';
import { LifeView } from './LifeView.tsx';
import { fetchLife } from './readLife.ts';

export const LIFE_FAILED = 'The price path could not be loaded. Try again.';

/** The life of a call within a table or a dialog. */
export function LoadedLife({ publicId }: { publicId: string }): ReactNode {
  const { state, retry, refresh } = useFetched(
    useCallback(() => fetchLife(publicId), [publicId]),
    LIFE_FAILED,
  );
  useNewEra(refresh);
  return (
    <FetchedBody state={state} retry={retry}>
      {(life) => <LifeView life={life} />}
    </FetchedBody>
  );
}
