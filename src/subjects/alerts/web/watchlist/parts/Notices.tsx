import { type ReactNode, useEffect } from 'react';
import { STREAM_FAILED } from '../../../../../../web/live/useStreamFailure.ts';
import { Banner } from '../../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { Arming } from './Arming.tsx';
import { playAlertSound } from '../../shared/alertSound.ts';
import { answerSoundOffer, soundOffer } from '../soundOffer.ts';
import { dropOffer, offeredSymbol, takeOffer } from '../requests.ts';
import { loadedAlerts } from '../alerts/alertStore.ts';
import { changeError, items, loadError, loadWatchlist, openSymbols, showFailure } from '../state.ts';

type NoticesProps = {
  /** Opens the market's stream anew, which can't be had; null when it can. */
  retryStream: (() => void) | null;
};

/** What went wrong with the list or with the stream, and what a link offers. */
export function Notices({ retryStream }: NoticesProps): ReactNode {
  const failure = loadError.value;
  const change = changeError.value;
  return (
    <>
      {failure !== null && (
        <Banner action={<Button onClick={() => void loadWatchlist()}>Retry</Button>}>
          {failure}
          {items.value !== null && <span> · Showing the list as last loaded</span>}
        </Banner>
      )}
      {change !== null && <Banner onDismiss={() => showFailure(null)}>{change}</Banner>}
      {/* Without a single snapshot there are no prices, but alerts can be edited all the same. */}
      {retryStream && <Banner action={<Button onClick={retryStream}>Retry</Button>}>{STREAM_FAILED}</Banner>}
      <ClosedArming />
      <SoundOffer />
      <Offer />
    </>
  );
}

/** Offered once, as the first alert is made, until the page is left. */
function SoundOffer(): ReactNode {
  useEffect(() => () => answerSoundOffer(false), []);
  if (!soundOffer.value) return null;
  const take = () => {
    answerSoundOffer(true);
    void playAlertSound();
  };
  return (
    <Banner
      variant="info"
      onDismiss={() => answerSoundOffer(false)}
      action={
        <Button variant="primary" onClick={take}>
          Play a sound
        </Button>
      }
    >
      Your first alert in this browser is set. Play a sound when it fires? You can change that later in
      Settings.
    </Banner>
  );
}

/** What is about to fire of alerts whose row was closed meanwhile. */
function ClosedArming(): ReactNode {
  const open = openSymbols.value;
  const editors = [...loadedAlerts.value].flatMap(([symbol, one]) => (open.has(symbol) ? [] : one.editors));
  return editors.map((editor) => <Arming key={editor.key} editor={editor} isNamed />);
}

function Offer(): ReactNode {
  const symbol = offeredSymbol.value;
  if (symbol === null) return null;
  return (
    <Banner
      variant="info"
      onDismiss={dropOffer}
      action={
        <Button variant="primary" onClick={() => void takeOffer()}>
          Add {symbol}
        </Button>
      }
    >
      {symbol} is not on your watchlist.
    </Banner>
  );
}
