import { createRandom } from '#lib/random.ts';
import { type Bench, Installation } from '../installation.ts';

const CUTS = 30;

function keepCounting(installed: Installation, token: string, id: number, from: number) {
  let isOn = true;
  const counts = { sent: from, kept: from };
  const counting = (async () => {
    while (isOn) {
      counts.sent += 1;
      try {
        await installed.call(token, 'PATCH', `/watchlist/${id}`, { note: String(counts.sent) });
        counts.kept = counts.sent;
      } catch {
        counts.sent = counts.kept;
        await Bun.sleep(50);
      }
      await Bun.sleep(20);
    }
  })();
  return {
    counts,
    stop: async () => {
      isOn = false;
      await counting;
    },
  };
}

/** The power goes at random moments, also of a start; afterwards it serves by itself and has what it had acknowledged. */
export async function power(bench: Bench, seed: number): Promise<string> {
  const random = createRandom(seed);
  const installed = await Installation.create(bench, 'power');
  const { machine } = installed;
  try {
    await installed.serves();
    const token = await installed.becomeAdministrator();
    const id = await installed.watch(token, 'BHP');
    const noteOf = async (): Promise<number> => {
      const items = await installed.watched(token);
      return Number(items.find((item) => item.id === id)?.note ?? 0);
    };
    let longest = 0;
    let kept = 0;
    for (let cut = 1; cut <= CUTS; cut += 1) {
      const writer = keepCounting(installed, token, id, kept);
      await Bun.sleep(random() * 6000);
      await machine.cutPower();
      await writer.stop();
      await machine.boot();
      longest = Math.max(longest, await installed.serves());
      const found = await noteOf();
      if (found < writer.counts.kept)
        throw new Error(`Cut ${cut}: ${writer.counts.kept} was kept, ${found} is there.`);
      kept = found;
    }
    const { out } = await machine.run('journalctl -u bellbird -o cat -p err --no-pager | tail -5');
    return `${CUTS} cuts, ${kept} acknowledged writes, none lost; served within ${Math.round(longest)} ms of each boot. Errors in the journal: ${out.trim() || 'none'}`;
  } finally {
    await machine.remove();
  }
}
