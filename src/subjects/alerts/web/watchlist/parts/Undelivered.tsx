import type { ReactNode } from 'react';
import { Banner } from '#ui/Banner.tsx';
import { SETTINGS_PATH } from '#web/router/routes.ts';
import type { FindingShown } from '../review/api.ts';

/** Says on the tabs next to Review that a chat or device which alerts are sent to takes nothing. */
export function Undelivered({ findings }: { findings: readonly FindingShown[] }): ReactNode {
  const [first, ...others] = findings.filter(({ kind }) => kind === 'broken');
  if (first === undefined) return null;
  return (
    <Banner
      variant="warn"
      action={
        <a className="button" href={`#${SETTINGS_PATH}`}>
          Open Settings
        </a>
      }
    >
      {first.text}
      {others.length > 0 && ` Review has ${others.length} more.`}
    </Banner>
  );
}
