import { Button } from '#ui/Button.tsx';

/** The way out of a failure: the page again, from the server. */
export const ReloadButton = () => (
  <Button variant="primary" onClick={() => window.location.reload()}>
    Reload
  </Button>
);
