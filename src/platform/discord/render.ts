import type { ChatButton, ChatMessage } from '../chatClients/rules/chatMessage.ts';
import { buttonData } from '../chatClients/received.ts';
import { fitted, withoutControls } from '../chatClients/messageText.ts';
import { discordContent } from './content.ts';
import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  ButtonStyle,
  ComponentType,
  MessageFlags,
} from 'discord-api-types/v10';

const MAX_LABEL = 80;
const MAX_ROWS = 5;
const BUTTONS_IN_A_ROW = 5;

export type DiscordText = {
  content: string;
  flags: MessageFlags.SuppressEmbeds;
  /** An @ in a code or a name must not mention a person. */
  allowed_mentions: { parse: [] };
  components: APIActionRowComponent<APIButtonComponentWithCustomId>[];
};

function components(buttons: readonly ChatButton[]): DiscordText['components'] {
  const keys = buttons.slice(0, MAX_ROWS * BUTTONS_IN_A_ROW).map(
    (button): APIButtonComponentWithCustomId => ({
      type: ComponentType.Button,
      style: button.action === 'confirm' ? ButtonStyle.Primary : ButtonStyle.Secondary,
      label: fitted(withoutControls(button.label), MAX_LABEL),
      custom_id: buttonData(button),
    }),
  );
  const rows: DiscordText['components'] = [];
  for (let at = 0; at < keys.length; at += BUTTONS_IN_A_ROW) {
    rows.push({ type: ComponentType.ActionRow, components: keys.slice(at, at + BUTTONS_IN_A_ROW) });
  }
  return rows;
}

export const discordText = (message: ChatMessage, options: { mayRepeat: boolean }): DiscordText => ({
  content: discordContent(message, options),
  flags: MessageFlags.SuppressEmbeds,
  allowed_mentions: { parse: [] },
  components: components(message.buttons),
});
