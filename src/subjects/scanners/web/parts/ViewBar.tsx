import type { ReactNode, RefObject } from 'react';
import { leaveView, type MarketView } from '#web/shared/scannerRequests.ts';
import { Button } from '#ui/Button.tsx';
import { viewLabel } from '../marketViews.ts';
import './ViewBar.css';

type ViewBarProps = {
  view: MarketView;
  /** Gets the focus when the view is left, because its button is gone then. */
  textRef: RefObject<HTMLInputElement | null>;
};

/** Says that the scanner shows a view of the market overview, and ends it. */
export function ViewBar({ view, textRef }: ViewBarProps): ReactNode {
  const leave = () => {
    leaveView();
    textRef.current?.focus();
  };
  return (
    <div className="view-bar" role="status">
      <p>
        <strong>{viewLabel(view)}</strong> from the market overview.{' '}
        <span className="muted">Your own scan, filters and columns stay as they are.</span>
      </p>
      <Button onClick={leave}>Back to my scanner</Button>
    </div>
  );
}
