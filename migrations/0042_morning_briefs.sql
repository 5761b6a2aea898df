CREATE TABLE `morning_briefs` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`active` integer NOT NULL,
	`minute` integer NOT NULL,
	`sent_on` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
