import { Button } from '../ui/Button.tsx';

/** The way out of a failure: the page again, from the server. */
export const ReloadButton = () => (
  <Button variant="primary" onClick={() => window.location.reload()}>
    Reload
  </Button>
);

/** In the place of a part of the shell that failed; the screen below it stays usable. */
export function PartFailure() {
  return (
    <div className="bar tone-down" role="alert">
      <p>This part of the page could not be shown.</p>
      <ReloadButton />
    </div>
  );
}
