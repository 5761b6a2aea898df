CREATE TABLE `watchlists` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`position` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `watchlists_user` ON `watchlists` (`user_id`,`position`);--> statement-breakpoint
INSERT INTO `watchlists` (`user_id`, `name`, `position`, `created_at`)
SELECT `user_id`, 'My list', 0, min(`created_at`) FROM `watchlist_items` GROUP BY `user_id`;--> statement-breakpoint
CREATE TABLE `__new_watchlist_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`list_id` integer NOT NULL,
	`symbol` text NOT NULL,
	`note` text,
	`target` real,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`list_id`) REFERENCES `watchlists`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_watchlist_items` (`id`, `user_id`, `list_id`, `symbol`, `created_at`)
SELECT items.`id`, items.`user_id`, lists.`id`, items.`symbol`, items.`created_at`
FROM `watchlist_items` AS items JOIN `watchlists` AS lists ON lists.`user_id` = items.`user_id`;--> statement-breakpoint
DROP TABLE `watchlist_items`;--> statement-breakpoint
ALTER TABLE `__new_watchlist_items` RENAME TO `watchlist_items`;--> statement-breakpoint
CREATE UNIQUE INDEX `watchlist_items_in_list` ON `watchlist_items` (`list_id`,`symbol`);--> statement-breakpoint
CREATE INDEX `watchlist_items_symbol` ON `watchlist_items` (`user_id`,`symbol`);
