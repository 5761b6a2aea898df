import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Button } from '#ui/Button.tsx';
import { withStyles } from '#web/shared/lateStyles.ts';

let code: ComponentType<{ code: string }> | null = null;

/** Fetches the code of the drawing. @throws Error when it does not come */
export async function loadAuction(): Promise<void> {
  code = (await withStyles(import('./Auction.tsx'))).Auction;
}

/** A stock's opening auction, whose drawing comes when it is needed. Not `lazy`: when it does not come, the row stays. */
export function AuctionPanel(props: { code: string }): ReactNode {
  const [Auction, setAuction] = useState(() => code);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (Auction !== null || hasFailed) return;
    let isShown = true;
    loadAuction().then(
      () => isShown && setAuction(() => code),
      () => isShown && setFailed(true),
    );
    return () => {
      isShown = false;
    };
  }, [Auction, hasFailed]);
  if (Auction !== null) return <Auction key={props.code} code={props.code} />;
  if (!hasFailed) return <p role="status">Loading the auction…</p>;
  return (
    <p role="alert">
      The auction could not be loaded. <Button onClick={() => setFailed(false)}>Retry</Button>
    </p>
  );
}
