CREATE TABLE `call_corrections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`call_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`corrected_at` integer NOT NULL,
	`reason` text NOT NULL,
	`changes` text NOT NULL,
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `call_corrections_call` ON `call_corrections` (`call_id`);--> statement-breakpoint
ALTER TABLE `calls` ADD `source` text DEFAULT 'unknown' NOT NULL;--> statement-breakpoint
ALTER TABLE `calls` ADD `is_awaiting_exit` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `calls` ADD `exit_trade_at` integer;--> statement-breakpoint
ALTER TABLE `calls` ADD `exit_trade_price` real;--> statement-breakpoint
ALTER TABLE `calls` ADD `entry_trade_at` integer;--> statement-breakpoint
ALTER TABLE `calls` ADD `entry_trade_price` real;