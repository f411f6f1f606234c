import { readFileSync } from 'node:fs';
import { type Remark, type Setting, SettingName, settingNames } from '@deskside/shared/settings';
import { Command, InvalidArgumentError, Option } from 'commander';
import { changeSetting, promoteSetting, sealAgain } from '#app/settings/change-setting.ts';
import { listSettings } from '#app/settings/list-settings.ts';
import { SettingRefused } from '#app/settings/setting-refused.ts';
import { never } from '#cli/arguments.ts';
import { printTable } from '#cli/terminal/print-table.ts';
import { rulesSchema } from '#config/rules.ts';
import { noSetting, settingKinds } from '#config/settings-catalogue.ts';
import { importCommand } from './import.ts';
import { withSettings } from './open-settings.ts';

/** `deskside settings`: what can change while the proxy runs (docs/settings.md#settings-at-run-time). */
export function settingsCommand(): Command {
  const command = new Command('settings').description('Show and change the settings that the store holds');
  command.addHelpText('after', `\nThe settings: ${settingNames.join(', ')}.`);
  command.addCommand(listCommand());
  command.addCommand(getCommand());
  command.addCommand(setCommand());
  command.addCommand(unsetCommand());
  command.addCommand(auditCommand());
  command.addCommand(importCommand());
  command.addCommand(
    new Command('schema')
      .description('Print a JSON Schema of the rules file, for editors')
      .action(() => console.log(JSON.stringify(rulesSchema(), null, 2))),
  );
  command.addCommand(
    new Command('secrets')
      .description('Replace secrets, and the key under which they are sealed')
      .addCommand(promoteCommand())
      .addCommand(rotateCommand()),
  );
  return command;
}

function listCommand(): Command {
  return new Command('list')
    .description('Show every setting, its value and where that comes from; secrets are ••••')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) =>
      withSettings(async (ctx) => {
        const list = await listSettings(ctx);
        if (json) console.log(JSON.stringify(list));
        else
          for (const line of printTable(['Setting', 'From', 'Value', 'Changed'], list.settings.map(rowOf)))
            console.log(line);
      }),
    );
}

const longest = 60;

function rowOf({ name, source, value, stored, next }: Setting): string[] {
  const text = value ?? '(none)';
  const changes = [
    ...(stored ? [`${day(stored.at)} by ${stored.by}`] : []),
    ...(next ? [`next value: ${day(next.at)} by ${next.by}`] : []),
  ];
  return [name, source, text.length > longest ? `${text.slice(0, longest)}…` : text, changes.join('; ')];
}

function day(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`;
}

function getCommand(): Command {
  return new Command('get')
    .description('Show one setting as it is in force')
    .argument('<name>', 'the setting', nameOf)
    .option('--json', 'print JSON, with where it comes from')
    .action((name: SettingName, { json }: { json?: boolean }) =>
      withSettings(async (ctx) => {
        const found = (await listSettings(ctx)).settings.find((setting) => setting.name === name);
        console.log(json ? JSON.stringify(found) : (found?.value ?? ''));
      }),
    );
}

interface SetOptions {
  file?: string;
  next?: boolean;
}

function setCommand(): Command {
  return new Command('set')
    .description('Keep a setting in the store, once it has been tried')
    .argument('<name>', 'the setting', nameOf)
    .argument('[value]', 'its value; of a rule, JSON. A secret comes from --file or from standard input')
    .option('--file <path>', 'read the value from a file; - is standard input')
    .addOption(new Option('--next', 'the value that will replace a secret: both are accepted until "secrets promote"'))
    .action((name: SettingName, value: string | undefined, { file, next }: SetOptions) =>
      withSettings(async (ctx) => {
        if (value !== undefined && settingKinds.isSecret(name))
          throw new SettingRefused(
            'refused',
            `${name} is a secret, and every user of this machine could see it there.`,
          );
        const wanted = { name, slot: next ? ('next' as const) : ('current' as const), value: value ?? readValue(file) };
        const { notes } = await changeSetting(ctx, { actor: ctx.actor, ...wanted }, never());
        say(`${name} is set.`, notes);
      }),
    );
}

function unsetCommand(): Command {
  return new Command('unset')
    .description('Take a setting out of the store')
    .argument('<name>', 'the setting', nameOf)
    .option('--next', 'only the value that would replace a secret')
    .action((name: SettingName, { next }: SetOptions) =>
      withSettings(async (ctx) => {
        const wanted = { name, slot: next ? ('next' as const) : ('current' as const), value: null };
        const { notes } = await changeSetting(ctx, { actor: ctx.actor, ...wanted }, never());
        say(`${name} is not in the store${next ? ' with a next value' : ''}.`, notes);
      }),
    );
}

function auditCommand(): Command {
  return new Command('audit')
    .description('Show who changed what and when, latest first')
    .option('--limit <number>', 'at most so many changes', '50')
    .option('--json', 'print one JSON object per line')
    .action(({ limit, json }: { limit: string; json?: boolean }) =>
      withSettings(async ({ settings }) => {
        const changes = await settings.store.changes({ limit: Number(limit) || 50 });
        if (json) for (const change of changes) console.log(JSON.stringify(change));
        else {
          const rows = changes.map(({ at, by, name, slot, action, ...values }) => [
            ...[day(at), by, slot === 'next' ? `${name} (next)` : name, action],
            ...[values.old, values.new].map(
              (value) => value ?? (values.default ? `default: ${values.default}` : '(none)'),
            ),
          ]);
          for (const line of printTable(['When', 'Who', 'Setting', 'What', 'Before', 'After'], rows)) console.log(line);
        }
      }),
    );
}

function promoteCommand(): Command {
  return new Command('promote')
    .description('Make the next value of a secret the current one; the one before is not accepted any more')
    .argument('<name>', 'the secret', nameOf)
    .action((name: SettingName) =>
      withSettings(async (ctx) => {
        const { notes } = await promoteSetting(ctx, { actor: ctx.actor, name }, never());
        say(`${name} has its next value.`, notes);
      }),
    );
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description('Seal all secrets of the store again under the current master key; the previous one may go then')
    .action(() =>
      withSettings(async (ctx) => {
        const count = await sealAgain(ctx, ctx.actor);
        console.log(`${count} ${count === 1 ? 'secret is' : 'secrets are'} sealed under the current master key.`);
      }),
    );
}

function say(what: string, notes: readonly Remark[]): void {
  console.log(`${what} Every proxy on this store has it in force within five seconds.`);
  for (const { message } of notes) console.log(message);
}

function readValue(file = '-'): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim();
  } catch {
    const what = file === '-' ? 'nothing could be read from standard input' : '--file: expected a readable file';
    throw new SettingRefused('refused', `The value is missing: ${what}.`);
  }
}

function nameOf(text: string): SettingName {
  const parsed = SettingName.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError(noSetting(text));
}
