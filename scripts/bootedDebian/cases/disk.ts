import { type Bench, Installation } from '../installation.ts';

const DATA = '/var/lib/bellbird';
/** The database's log keeps its size, so some changes still fit. */
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

/** The disk of the data fills during operation, and is full at a start. */
export async function disk(bench: Bench): Promise<string> {
  const installed = await Installation.create(bench, 'disk', false);
  const { machine } = installed;
  try {
    await machine.run(
      `install -d -o bellbird -g bellbird -m 700 ${DATA}
      mount -t tmpfs -o size=40m,mode=700,uid=$(id -u bellbird),gid=$(id -g bellbird) tmpfs ${DATA}
      systemctl daemon-reload && systemctl enable --now bellbird`,
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
    return `while it serves: ${words(running)}; at a start: ${words(started)}; with room again all of it is there, and it keeps`;
  } finally {
    await machine.remove();
  }
}
