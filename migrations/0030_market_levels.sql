CREATE TABLE `market_levels` (
	`source` text NOT NULL,
	`at` integer NOT NULL,
	`chain` integer NOT NULL,
	`base` real NOT NULL,
	`level` real NOT NULL,
	PRIMARY KEY(`source`, `at`)
);
--> statement-breakpoint
UPDATE `calls` SET `rationale` = NULL, `rationale_salt` = NULL WHERE `user_id` IN (SELECT `id` FROM `users` WHERE `deleted_at` IS NOT NULL);
