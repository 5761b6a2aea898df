/** Faults of any local server; a server’s own faults are added in its union. */
export type ServerFault =
  | { kind: 'none' }
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: string }
  | { kind: 'html' }
  | { kind: 'garbage'; body: string }
  | { kind: 'hang' };

const isServerFault = (fault: { kind: string }): fault is ServerFault =>
  ['none', 'status', 'html', 'garbage', 'hang'].includes(fault.kind);

/** @param html the text of a page that is not an answer @returns the answer instead; null for the server’s own answer */
export function faultyAnswer(fault: { kind: string }, html: string): Response | null {
  if (!isServerFault(fault)) return null;
  switch (fault.kind) {
    case 'status':
      return new Response(fault.body ?? 'no', { status: fault.status, headers: fault.headers ?? {} });
    case 'html': {
      const body = `<!DOCTYPE html><html><body>${html}</body></html>`;
      return new Response(body, { headers: { 'content-type': 'text/html' } });
    }
    case 'garbage':
      return new Response(fault.body);
    default:
      return null;
  }
}

/** Requests held without an answer, until the server stops or clears the fault. */
export function createHeldRequests() {
  const waking = new Set<() => void>();
  return {
    hold: (): Promise<void> => new Promise((wake) => void waking.add(wake)),
    release(): void {
      for (const wake of waking) wake();
      waking.clear();
    },
  };
}
