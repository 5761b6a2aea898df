import { existsSync } from 'node:fs';
import { createRandom } from '#lib/random.ts';
import { type Bench, Installation } from '../installation.ts';

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const UNIT = '/etc/systemd/system/bellbird.service.d/clock.conf';

/** Tests a start with the clock a day behind, as on a Pi without a battery, and one with the right time again. */
export async function clock(bench: Bench): Promise<string> {
  if (!existsSync(LIBRARY)) return 'not tried: Debian’s package libfaketime is missing';
  const installed = await Installation.create(bench, 'clock');
  const { machine } = installed;
  const restart = async (): Promise<void> => {
    await machine.run('systemctl daemon-reload && systemctl restart bellbird');
    await installed.serves();
  };
  try {
    await installed.serves();
    const token = await installed.becomeAdministrator();
    await installed.watch(token, 'BHP');
    machine.put(LIBRARY, '/usr/lib/libfaketime.so.1');
    machine.write(UNIT, '[Service]\nEnvironment=LD_PRELOAD=/usr/lib/libfaketime.so.1 FAKETIME=-1d TZ=UTC\n');
    await restart();
    const asked = new Date((await fetch(`${installed.url}/healthz`)).headers.get('date') ?? '');
    const late = await installed.login('boss');
    const early = await installed.call(token, 'GET', '/settings').then(
      () => 'still good',
      (error: unknown) => `refused (${String(error).slice(0, 90)})`,
    );
    await installed.watch(late, 'CBA');
    await machine.run(`rm ${UNIT}`);
    await restart();
    const items = await installed.watched(await installed.login('boss'));
    if (items.length !== 2) throw new Error(`The watchlist has ${items.length} symbols, not 2.`);
    const { out } = await machine.run('journalctl -u bellbird -o cat -p err --no-pager | tail -5');
    return `a day behind (${asked.toISOString().slice(0, 10)}): it serves, accepts logins and saves; the earlier session is ${early}. Clock corrected: all data is there. Errors: ${out.trim() || 'none'}`;
  } finally {
    await machine.remove();
  }
}

const DATA = '/var/lib/bellbird';
/** Limit of changes after the disk is full; some still fit, because the database's log keeps its size. */
const MOST_THAT_FIT = 3000;

type Refused = { sentence: string; fitted: number; last: string | null };

async function changeUntilRefused(
  installed: Installation,
  token: string,
  item: { id: number; when: string; last: string | null },
): Promise<Refused> {
  let { last } = item;
  for (let fitted = 0; fitted < MOST_THAT_FIT; fitted += 1) {
    const note = `${item.when} ${fitted}`;
    try {
      await installed.call(token, 'PATCH', `/watchlist/${item.id}`, { note });
      last = note;
    } catch (error) {
      return { sentence: String(error), fitted, last };
    }
  }
  throw new Error(`Nothing of ${MOST_THAT_FIT} changes was refused on a full disk.`);
}

const words = ({ sentence, fitted }: Refused): string => `${fitted} changes fitted, then ${sentence}`;

/** Tests a disk that fills during operation, and one that is full at a start. */
export async function disk(bench: Bench): Promise<string> {
  const installed = await Installation.create(bench, 'disk');
  const { machine } = installed;
  try {
    await machine.run(
      `systemctl stop bellbird
      mount -t tmpfs -o size=40m,mode=700,uid=$(id -u bellbird),gid=$(id -g bellbird) tmpfs ${DATA}
      systemctl start bellbird`,
    );
    await installed.serves();
    const token = await installed.becomeAdministrator();
    const id = await installed.watch(token, 'CBA');
    await machine.run(`cat /dev/zero > ${DATA}/filler || true`);
    const running = await changeUntilRefused(installed, token, { id, when: 'running', last: null });
    await machine.run('systemctl restart bellbird');
    await installed.serves();
    const started = await changeUntilRefused(installed, token, { id, when: 'started', last: running.last });
    await machine.run(`rm ${DATA}/filler && systemctl restart bellbird`);
    await installed.serves();
    const [item] = await installed.watched(token);
    if (item?.note !== started.last) throw new Error(`The note is ${item?.note}, not ${started.last}.`);
    await installed.watch(token, 'BHP');
    return `while it serves: ${words(running)}; at a start: ${words(started)}; with space again all data is there, and it saves`;
  } finally {
    await machine.remove();
  }
}

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

/** Cuts the power at random moments, also of a start. The server must then start with all acknowledged data. */
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
