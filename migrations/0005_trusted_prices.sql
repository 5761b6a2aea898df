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
ALTER TABLE `calls` ADD `entry_trade_price` real;--> statement-breakpoint
-- Results from before the first trade after the deed counted: what they were computed from, in the columns of today.
UPDATE `calls` SET
	`entry_trade_at` = coalesce(`filled_at`, `submitted_at`),
	`entry_trade_price` = CASE WHEN `call_type` = 'bought'
		THEN max(`entry_price`, coalesce(`price_at_submission`, 0)) ELSE `fill_price` END,
	`exit_trade_at` = `closed_at`,
	`exit_trade_price` = `price_at_close`
WHERE `verified_percent` IS NOT NULL;
