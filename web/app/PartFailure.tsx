import { Button } from '../ui/Button.tsx';

export const ReloadButton = () => (
  <Button variant="primary" onClick={() => window.location.reload()}>
    Reload
  </Button>
);

export function PartFailure() {
  return (
    <div className="bar tone-down" role="alert">
      <p>This part of the page could not be shown.</p>
      <ReloadButton />
    </div>
  );
}
