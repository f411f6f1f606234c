/** `deskside`: every command. Loaded only here, once it is known that this Node can. */
await import('./commands/program.ts');
