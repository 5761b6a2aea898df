import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';

type Props = {
  children: ReactNode;
  /** A change of it gives the screen another chance. */
  resetKey: string;
};
type State = { failed: boolean; resetKey: string };

/** Catches what breaks while a screen renders, so that the header and the other screens stay usable. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false, resetKey: this.props.resetKey };

  static getDerivedStateFromError(): Partial<State> {
    return { failed: true };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { failed: false, resetKey: props.resetKey };
  }

  override componentDidCatch(problem: Error, info: ErrorInfo): void {
    console.error('A screen failed to render.', problem, info.componentStack);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div role="alert">
        <EmptyState
          detail="Reload the page. If it happens again, tell whoever runs this server what you did."
          action={
            <Button look="primary" onClick={() => window.location.reload()}>
              Reload
            </Button>
          }
        >
          This screen failed to show.
        </EmptyState>
      </div>
    );
  }
}
