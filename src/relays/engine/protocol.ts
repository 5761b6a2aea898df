/** The form of what goes through the message engine. It grows with every change that an older program can't read. */
export const PROTOCOL = 2;
