import { type Bench, Installation } from '../installation.ts';

const DATA = '/var/lib/bellbird';

/** The disk of the data fills while it serves, and is full at a start. */
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
    const refusal = () =>
      installed.call(token, 'PATCH', `/watchlist/${id}`, { note: 'Full' }).then(
        () => null,
        (error: unknown) => String(error),
      );
    await machine.run(`cat /dev/zero > ${DATA}/filler || true`);
    const running = await refusal();
    await machine.run('systemctl restart bellbird');
    await installed.serves();
    const started = await refusal();
    await machine.run(`rm ${DATA}/filler && systemctl restart bellbird`);
    await installed.serves();
    await installed.watch(token, 'BHP');
    if (running === null || started === null) throw new Error('Nothing was refused on a full disk.');
    return `while it serves: ${running}; at a start: ${started}; with room again it keeps`;
  } finally {
    await machine.remove();
  }
}
