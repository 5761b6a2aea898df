import type { Config } from '#src/config.ts';
import { AppError } from '#platform/http/errors.ts';
import { choosePlayed, forgetPlayed, playedName, whyNotPlayable } from '#market/recording/playChoice.ts';
import type { Audit } from '#admin/audit/server/service.ts';
import type { RecordingFolder } from './folder.ts';
import type { Recordings } from './service.ts';

/** Who asks for it. */
type Administrator = { id: number; username: string };

export type PlayingDeps = {
  replay: Config['replay'];
  /** Where it is kept which recording the next start plays. */
  choiceFile: string;
  recordings: Recordings;
  files: RecordingFolder;
  audit: Audit;
  /** Why the server can't be restarted from the panel; null when it can. */
  noRestart(): string | null;
  /** Does something, then ends this process so that the next begins. @throws AppError, with nothing done, when it can't */
  restart(user: Administrator, change: () => void): void;
};

const IN_SETTINGS =
  'This server’s settings already name a recording to play (BELLBIRD_FEED=replay). To play another from here, remove that setting and restart.';
const PLAYED = 'This recording is playing. End the replay first.';
const NONE = 'No recording is playing.';

/** Plays a recording of the data folder to everybody, and goes back to the source of the settings. */
export class Playing {
  constructor(private readonly deps: PlayingDeps) {}

  /** The recording that is played because it was chosen here, and the words for what it stands in for. */
  playing(): Config['replay']['chosen'] {
    return this.deps.replay.chosen;
  }

  /** Why none can be played from here; null when one can. */
  whyNot(): string | null {
    return this.deps.replay.fromSettings ? IN_SETTINGS : this.deps.noRestart();
  }

  /** @throws AppError 409 for the one that is played: the next start would not find it */
  requireIdle(name: string): void {
    if (this.playing()?.name === name) throw new AppError(409, PLAYED);
  }

  /** @returns its name @throws AppError 404, and 409 for one that can't be played or a server that can't restart now */
  play(user: Administrator, asked: string): string {
    const { replay, recordings, files, audit, choiceFile } = this.deps;
    if (replay.fromSettings) throw new AppError(409, IN_SETTINGS);
    recordings.requireWritten(asked);
    const { name } = recordings.find(asked);
    const problem = whyNotPlayable(files.pathOf(name));
    if (problem !== null) throw new AppError(409, `The recording ${name} can't be played. ${problem}`);
    this.deps.restart(user, () => {
      audit.record({ userId: user.id, action: 'play recording', target: name });
      choosePlayed(choiceFile, name);
    });
    return name;
  }

  /** @returns the name of the recording that was played @throws AppError 409 when none is, or no restart is possible now */
  end(user: Administrator): string {
    const { audit, choiceFile } = this.deps;
    const name = playedName(choiceFile) ?? this.playing()?.name;
    if (name === undefined) throw new AppError(409, NONE);
    this.deps.restart(user, () => {
      audit.record({ userId: user.id, action: 'end replay', target: name });
      forgetPlayed(choiceFile);
    });
    return name;
  }
}
