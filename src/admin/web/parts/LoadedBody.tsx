import { type ReactNode, useEffect } from 'react';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import type { Loaded } from '#web/shared/useLoaded.ts';
import { noteDemand } from './adminActions.ts';

type LoadedBodyProps<T> = {
  loaded: Loaded<T>;
  /** Name for screen readers: "Loading channels…". */
  label: string;
  rows?: number;
  children: (data: T) => ReactNode;
};

/** Shows loaded data, placeholder rows while loading, and a Retry button after a failure. */
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
  children?: ReactNode;
  label?: string;
  isLoading: boolean;
  onRefresh(): void;
};

/** The line above a section's data, with a reload button that keeps the focus. */
export const SectionTools = ({ children, label = 'Refresh', isLoading, onRefresh }: SectionToolsProps) => (
  <div className="section-tools row justify-between self-stretch">
    <div className="row gap-2-3 min-w-0">{children}</div>
    <Button aria-disabled={isLoading} onClick={() => !isLoading && onRefresh()}>
      {isLoading ? 'Refreshing…' : label}
    </Button>
  </div>
);
