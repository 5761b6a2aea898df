CREATE TABLE `odds_variants` (
	`user_id` integer NOT NULL,
	`subject` text NOT NULL,
	`hash` text NOT NULL,
	`first_seen` integer NOT NULL,
	PRIMARY KEY(`user_id`, `subject`, `hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `odds_variants_seen` ON `odds_variants` (`first_seen`);