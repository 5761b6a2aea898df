import {
  type APIApplicationCommandStringOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  type RESTPutAPIApplicationCommandsJSONBody,
} from 'discord-api-types/v10';
import { CHAT_COMMANDS, type ChatCommandInfo } from '../../subjects/chats/rules/chatCommand.ts';
import { MAX_QUESTION } from '../../subjects/questions/rules/question.ts';

const MAX_CODE = 16;

const CODE: APIApplicationCommandStringOption = {
  type: ApplicationCommandOptionType.String,
  name: 'code',
  description: 'Code of the stock, like BHP',
  required: true,
  max_length: MAX_CODE,
};

const QUESTION: APIApplicationCommandStringOption = {
  type: ApplicationCommandOptionType.String,
  name: 'question',
  description: 'What you want to know of the market today',
  required: true,
  max_length: MAX_QUESTION,
};

const WITH_ALERTS: APIApplicationCommandStringOption = {
  type: ApplicationCommandOptionType.String,
  name: 'alerts',
  description: 'Its alerts are deleted with it: say so here',
  required: false,
  choices: [{ name: 'Delete its alerts too', value: 'all' }],
};

const optionsOf = ({ name, takes }: ChatCommandInfo) => [
  ...(takes === 'code' ? [CODE] : []),
  ...(takes === 'question' ? [QUESTION] : []),
  ...(name === 'unwatch' ? [WITH_ALERTS] : []),
];

/** The commands in the form in which Discord takes them. */
export const discordCommands = (): RESTPutAPIApplicationCommandsJSONBody =>
  CHAT_COMMANDS.map((info) => ({
    type: ApplicationCommandType.ChatInput,
    name: info.name,
    description: info.description,
    options: optionsOf(info),
  }));
