/**
 * Sets the production mode. Libraries read it while they load, through names that a build's define does not
 * reach (Elysia reads `Bun.env`), so this module is imported first. In other modes Elysia writes a whole
 * refused body into its error.
 */
Bun.env['NODE_ENV'] = 'production';
