CREATE TABLE `odds_days` (
	`saved_id` integer NOT NULL,
	`date` text NOT NULL,
	`source` text NOT NULL,
	`is_final` integer NOT NULL,
	`entry_count` integer NOT NULL,
	`entries` blob NOT NULL,
	`left_out` text NOT NULL,
	`gap_minutes` integer NOT NULL,
	PRIMARY KEY(`saved_id`, `date`),
	FOREIGN KEY (`saved_id`) REFERENCES `odds_saved`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `odds_saved` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`subject` text NOT NULL,
	`asked` text NOT NULL,
	`saved_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `odds_saved_user` ON `odds_saved` (`user_id`);