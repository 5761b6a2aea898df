import type { Connect, FromWindow, Send } from './protocol.ts';

/**
 * A connection whose code is fetched first. What the window says meanwhile is passed on then. When the code does not
 * come, as when the server was updated under an open page, the window is disconnected until it asks to try again.
 */
export const connectLater =
  (load: () => Promise<Connect>): Connect =>
  (receive) => {
    const waiting: FromWindow[] = [];
    let send: Send | null = null;
    let isLoading = false;
    const open = async () => {
      isLoading = true;
      try {
        const connect = await load();
        send = connect(receive);
        for (const message of waiting.splice(0)) send(message);
      } catch (problem) {
        console.warn('The code of the data stream could not be fetched.', problem);
        receive({ type: 'connection', connection: 'disconnected' });
      }
      isLoading = false;
    };
    void open();
    return (message) => {
      if (send) return send(message);
      waiting.push(message);
      if (message.type === 'retry' && !isLoading) void open();
    };
  };
