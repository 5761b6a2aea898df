/**
 * Libraries read their mode at run time, through names that a build's define does not reach (Elysia reads
 * `Bun.env`). In other modes Elysia writes a whole refused body into its error. It is imported first, because
 * libraries read the mode while they load.
 */
Bun.env['NODE_ENV'] = 'production';
