import { ReloadButton } from './ReloadButton.tsx';

/** In the place of a part of the shell that failed; the screen below it stays usable. */
export function PartFailure() {
  return (
    <div className="bar tone-down" role="alert">
      <p>This part of the page could not be shown.</p>
      <ReloadButton />
    </div>
  );
}
