CREATE TABLE `chart_levels` (
	`user_id` integer NOT NULL,
	`symbol` text NOT NULL,
	`prices` text NOT NULL,
	`saved_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `symbol`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
