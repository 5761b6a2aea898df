import { Component, type ErrorInfo, type ReactNode } from 'react';

type ErrorBoundaryProps = {
  children: ReactNode;
  fallback: (problem: unknown) => ReactNode;
  /** A change renders the children again. */
  resetKey?: string;
};
type State = { failure: { problem: unknown } | null; resetKey: string | undefined };

/** Contains a failure of its children. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { failure: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(problem: unknown): Partial<State> {
    return { failure: { problem } };
  }

  static getDerivedStateFromProps({ resetKey }: ErrorBoundaryProps, state: State): Partial<State> | null {
    return resetKey === state.resetKey ? null : { failure: null, resetKey };
  }

  override componentDidCatch(problem: unknown, info: ErrorInfo): void {
    console.error('A part of the page failed to render.', problem, info.componentStack);
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure === null ? this.props.children : this.props.fallback(failure.problem);
  }
}
