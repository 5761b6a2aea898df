ALTER TABLE `link_tokens` ADD `topic_id` integer;--> statement-breakpoint
ALTER TABLE `linked_chats` ADD `topic_id` integer;