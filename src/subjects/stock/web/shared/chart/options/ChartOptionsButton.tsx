import SlidersIcon from 'lucide-react/icons/sliders-horizontal';
import { type ComponentProps, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { IconButton } from '#ui/Button.tsx';
import { withStyles } from '#web/shared/lateStyles.ts';
import { LateSizeDialog } from '#subjects/calls/web/shared/size/LateSizeDialog.tsx';
import { followChartOptions } from './chartOptions.ts';

const Menu = lazy(() =>
  withStyles(import('./ChartOptionsMenu.tsx')).then((loaded) => ({ default: loaded.ChartOptionsMenu })),
);

type ChartOptionsButtonProps = Pick<ComponentProps<typeof Menu>, 'tf' | 'taken'>;

/** Opens the choices of what charts draw; its menu is fetched when it is first asked for. */
export function ChartOptionsButton({ tf, taken }: ChartOptionsButtonProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [isSizing, setSizing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(followChartOptions, []);
  const close = () => {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <IconButton
        ref={button}
        label="Chart options"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <SlidersIcon size={16} aria-hidden />
      </IconButton>
      {isOpen && button.current && (
        <Suspense fallback={null}>
          <Menu
            tf={tf}
            taken={taken}
            anchor={button.current}
            onSize={() => setSizing(true)}
            onClose={close}
          />
        </Suspense>
      )}
      {isSizing && <LateSizeDialog onClose={() => setSizing(false)} />}
    </>
  );
}
