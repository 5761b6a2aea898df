import { type ReactNode, useEffect } from 'react';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import type { Loaded } from '#web/shared/useLoaded.ts';
import { noteDemand } from './adminActions.ts';

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

type SectionToolsProps = {
  /** What stands before the button: what is chosen, or how old it is. */
  children?: ReactNode;
  /** What the button says: 'Refresh' when left out. */
  label?: string;
  isLoading: boolean;
  onRefresh(): void;
};

/** The line above what a section loaded, at its end the way to load it again. It keeps the focus meanwhile. */
export const SectionTools = ({ children, label = 'Refresh', isLoading, onRefresh }: SectionToolsProps) => (
  <div className="section-tools row justify-between self-stretch">
    <div className="row gap-2-3 min-w-0">{children}</div>
    <Button aria-disabled={isLoading} onClick={() => !isLoading && onRefresh()}>
      {isLoading ? 'Refreshing…' : label}
    </Button>
  </div>
);
