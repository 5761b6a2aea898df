/** What any local server does wrong; a server's own faults stand beside these in its union. */
export type ServerFault =
  | { kind: 'none' }
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: string }
  | { kind: 'html' }
  | { kind: 'garbage'; body: string }
  /** Never answers. */
  | { kind: 'hang' };

const isServerFault = (fault: { kind: string }): fault is ServerFault =>
  ['none', 'status', 'html', 'garbage', 'hang'].includes(fault.kind);

/**
 * @param html what a page that is no answer says
 * @returns what is answered instead; null for an answer of the server's own
 */
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

/** Requests that are held without an answer, until the server stops or does something else. */
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
