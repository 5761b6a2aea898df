import { humanSize } from '#lib/wording.ts';
import type { App, Part } from '#platform/app.ts';
import { createLoopLag, createProcessService } from './service.ts';

export function createProcessWatch({ clock, about, control, schedule }: App) {
  const lag = createLoopLag(clock, schedule);
  const service = createProcessService(clock, lag.figures);
  return {
    name: 'process',
    service,
    start: lag.start,
    stop: lag.stop,
    inspect() {
      const { uptimeSec, memory, cpuSec, loopLag } = service.figures();
      return {
        label: 'Process',
        description:
          'The running program: version, memory in bytes, processor time, delays of its event loop.',
        summary: {
          // As text, so that it gets no thousands separators.
          pid: String(about.pid),
          uptimeSec,
          memory: humanSize(memory.resident),
          cpuSec: Math.round(cpuSec.user + cpuSec.system),
          worstLagMs: loopLag.worstMs,
        },
        data: () => ({
          ...about,
          supervisor: control.supervisor,
          bun: Bun.version,
          platform: process.platform,
          architecture: process.arch,
          ...service.figures(),
        }),
      };
    },
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    process: ReturnType<typeof createProcessService>;
  }
}
