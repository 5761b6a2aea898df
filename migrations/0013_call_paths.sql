CREATE TABLE `call_paths` (
	`call_id` integer PRIMARY KEY NOT NULL,
	`stops` text DEFAULT '[]' NOT NULL,
	`path` blob,
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action
);
