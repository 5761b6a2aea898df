import { Component, type ErrorInfo, type ReactNode } from 'react';

type ErrorBoundaryProps = {
  children: ReactNode;
  fallback: (problem: unknown) => ReactNode;
  /** When it changes, the children are rendered again. */
  resetKey?: string;
};
type State = { failure: { problem: unknown } | null; resetKey: string | undefined };

/** Limits a failure of its children to this part of the page. */
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
