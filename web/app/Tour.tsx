import { useEffect, useRef, useState } from 'react';
import { alertsMade } from '#subjects/alerts/web/shared/alertRequests.ts';
import { allowAlertsHere, offersPhone, phoneOfferLabel } from '#subjects/alerts/web/shared/phoneOffer.ts';
import { devicesError, devicesInUse, loadDevices, ownDevices } from '#subjects/devices/web/shared/devices.ts';
import { messageOf } from '../api/client.ts';
import { route } from '../router/router.ts';
import { CHART_PATH } from '../router/routes.ts';
import { chooseTour, followTour, tour, TOUR_STEPS, type TourStep } from '../shared/tour.ts';
import { Button } from '../ui/Button.tsx';
import { showSnackbar } from '../ui/Snackbar.tsx';
import { paneStock } from '../windows/stockPane.ts';

const isTouch = (): boolean => window.matchMedia('(pointer: coarse)').matches;

const WORDS: Readonly<Record<TourStep, () => string>> = {
  scanner: () => 'Pick another scanner: Pre-Market before 10:00, Intra-Day after that.',
  stock: () => (isTouch() ? 'Open a stock: tap its row.' : 'Open a stock: click its row; j and k move on.'),
  alert: () =>
    isTouch()
      ? 'Set an alert: open a stock, then Alert me.'
      : 'Set an alert: press a on the open stock, then Enter.',
  notifications: () => 'Get your alerts when this page is closed.',
};

/** Whether a stock is open: in the pane, in an opened row or as a chart. */
const isStockOpen = (): boolean =>
  paneStock.peek() !== null ||
  route.peek()?.path === CHART_PATH ||
  document.querySelector('tr[data-detail]') !== null;

/** Marks the steps that the user takes, in any order. */
function useSteps(): void {
  const first = useRef(route.peek()?.path);
  const made = useRef(alertsMade.peek());
  const shown = route.value;
  const pane = paneStock.value;
  const alerts = alertsMade.value;
  const devices = devicesInUse(ownDevices.value).length;
  const [acts, setActs] = useState(0);
  useEffect(() => {
    // A row opens only after the click or key.
    const act = () => setTimeout(() => setActs((count) => count + 1));
    document.addEventListener('click', act);
    document.addEventListener('keyup', act);
    return () => {
      document.removeEventListener('click', act);
      document.removeEventListener('keyup', act);
    };
  }, []);
  useEffect(() => {
    const { done } = tour.peek();
    const isDone: Readonly<Record<TourStep, boolean>> = {
      scanner: shown?.tab !== undefined && shown.path !== first.current,
      stock: isStockOpen(),
      alert: alerts > made.current,
      notifications: devices > 0,
    };
    const next = TOUR_STEPS.filter((step) => isDone[step] || done.includes(step));
    if (next.length > done.length) chooseTour({ done: next });
  }, [shown, pane, alerts, devices, acts]);
}

/** A line below the screen with the next step of the tour. It covers nothing and never takes the focus. */
export function Tour() {
  useEffect(() => void loadDevices(), []);
  // Skipped in one window, it ends in all.
  useEffect(followTour, []);
  useSteps();
  const own = ownDevices.value;
  const steps = TOUR_STEPS.filter((step) => step !== 'notifications' || offersPhone(own));
  const step = steps.find((one) => !tour.value.done.includes(one));
  const hasEnded = step === undefined && own !== null;
  useEffect(() => {
    if (hasEnded) chooseTour({ isOn: false });
  }, [hasEnded]);
  // Before the answer it is not known how many steps there are.
  if (step === undefined || (own === null && devicesError.value === null)) return null;
  const end = () => {
    chooseTour({ isOn: false });
    document.getElementById('main')?.focus();
  };
  return (
    <aside className="bar is-below tour" aria-label="Tour">
      <p role="status">
        <span className="muted">
          {steps.indexOf(step) + 1} of {steps.length}
        </span>{' '}
        {WORDS[step]()}
      </p>
      {step === 'notifications' && own !== null && (
        <Button onClick={() => void allowAlertsHere(own).then(({ text }) => showSnackbar(text), showFailure)}>
          {phoneOfferLabel()}
        </Button>
      )}
      <Button onClick={end}>Skip tour</Button>
    </aside>
  );
}

const showFailure = (problem: unknown): void =>
  showSnackbar(messageOf(problem, 'Notifications could not be turned on. Try again.'));
