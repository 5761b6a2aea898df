import { type ReactNode, useEffect } from 'react';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { noteDemand } from './secondFactorDemand.ts';
import type { Loaded } from '#web/shared/useLoaded.ts';

type LoadedBodyProps<T> = {
  loaded: Loaded<T>;
  /** What is loading, for assistive technology: "Loading channels…". */
  label: string;
  rows?: number;
  children: (data: T) => ReactNode;
};

/** What a section loaded; until then grey rows, and why it could not be loaded, with a Retry. */
export function LoadedBody<T>({ loaded, label, rows = 3, children }: LoadedBodyProps<T>) {
  const { data, error, problem, isLoading, reload } = loaded;
  useEffect(() => noteDemand(problem), [problem]);
  return (
    <>
      {error !== null && (
        <Banner
          variant={data === null ? 'error' : 'warn'}
          action={
            <Button disabled={isLoading} onClick={() => void reload()}>
              Retry
            </Button>
          }
        >
          {error}
        </Banner>
      )}
      {data !== null ? children(data) : error === null && <SkeletonRows rows={rows} label={label} />}
    </>
  );
}
