CREATE TABLE `call_endings` (
	`call_id` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`pocketed_value` real,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE cascade
);
